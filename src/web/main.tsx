import '#web/styles/app.css'
import { createInertiaApp, router, type ResolvedComponent } from '@inertiajs/react'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import type { SharedProps } from '#contract/pages.ts'
import { lazyModule } from '#web/core/lazyModule.ts'
import { showUser } from '#web/core/shownUser.ts'
import { shellText } from '#web/text/shell.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { toast } from '#web/ui/toast.ts'
import { appOptions } from './appOptions.tsx'

// Every page but the chat's. The chat does not need the list of page files and their dependencies.
const loadPageLoaders = lazyModule(() => import('#web/shell/pageLoaders.ts'), true)

type ArrivedPage = { url: string; props: Partial<SharedProps> }

/**
 * Loads a page by its registered name. If its code cannot be loaded, the page says so inside its layout. After an upgrade the
 * server answers the visit with a full page load, which keeps drafts like every other way off the page. The same is done here when
 * the arriving page belongs to another person.
 */
async function resolvePage(name: string, page?: ArrivedPage): Promise<ResolvedComponent> {
  if (page && !showUser(page.props.user?.uuid ?? null)) {
    location.assign(page.url)
    return new Promise(() => {})
  }
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

const { strictMode: _, withApp, ...options } = appOptions

void createInertiaApp({
  ...options,
  resolve: resolvePage,
  setup: ({ el, App, props }) => {
    const app = withApp(
      <StrictMode>
        <App {...props} />
      </StrictMode>,
    )
    // As a transition, hydration proceeds in slices, so that scrolling and typing are answered between them.
    if (el.hasAttribute('data-server-rendered')) startTransition(() => void hydrateRoot(el, app))
    else createRoot(el).render(app)
  },
  progress: { includeCSS: false },
})
