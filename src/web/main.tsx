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

// Every page but the chat's: the list of their files, and of what each of them loads, is nothing that the chat needs.
const loadPageLoaders = lazyModule(() => import('#web/shell/pageLoaders.ts'), true)

type ArrivedPage = { url: string; props: Partial<SharedProps> }

/**
 * Loads a page by its registered name. Where its code does not come the page says so, in its layout. After a new version
 * was installed the server answers the visit itself with a full one, which keeps drafts as every leaving of the page does. So
 * does this where the page that comes is another person's.
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
    // As a transition it is taken over piece by piece, and who scrolls or types meanwhile is answered between them.
    if (el.hasAttribute('data-server-rendered')) startTransition(() => void hydrateRoot(el, app))
    else createRoot(el).render(app)
  },
  progress: { includeCSS: false },
})
