import '#web/styles/app.css'
import { createInertiaApp, router, type ResolvedComponent } from '@inertiajs/react'
import type { ReactElement } from 'react'
import { lazyModule } from '#web/core/lazyModule.ts'
import { ErrorBoundary } from '#web/shell/ErrorBoundary.tsx'
import { resolveLayout } from '#web/shell/layouts.ts'
import { shellText } from '#web/text/shell.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { toast } from '#web/ui/toast.ts'

// Loaded at once, so that it is there when the server is not; the first picture does not wait for it.
const Overlays = lazyComponent(() => import('#web/shell/Overlays.tsx'), { eager: true, silent: true })

// Every page but the chat's: the list of their files, and of what each of them loads, is nothing that the chat needs.
const loadPageLoaders = lazyModule(() => import('#web/shell/pageLoaders.ts'), true)

/**
 * Loads a page by its registered name. Where its code does not come the page says so, in its layout. After a new version
 * was installed the server answers the visit itself with a full one, which keeps drafts as every leaving of the page does.
 */
async function resolvePage(name: string): Promise<ResolvedComponent> {
  const load = async (): Promise<{ default: ResolvedComponent }> =>
    name === 'Chat' ? import('#web/pages/Chat.tsx') : (await loadPageLoaders()).getPageLoader(name)()
  try {
    return (await load()).default
  } catch {
    return lazyComponent(load, { page: true })
  }
}

router.on('networkError', (event: Event) => {
  event.preventDefault()
  toast.error(shellText.pageFailed)
})

void createInertiaApp({
  resolve: resolvePage,
  layout: resolveLayout,
  title: (title: string) => (title ? `${title} · ${shellText.brand}` : shellText.brand),
  progress: { delay: 250, color: '#29d', includeCSS: false },
  strictMode: true,
  withApp: (app: ReactElement) => (
    <ErrorBoundary>
      {app}
      <Overlays />
    </ErrorBoundary>
  ),
})
