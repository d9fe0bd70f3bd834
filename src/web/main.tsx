import './styles/app.css'
import { createInertiaApp, router, type ResolvedComponent } from '@inertiajs/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, type ReactElement } from 'react'
import { queryClient } from './core/query.ts'
import { CrashScreen } from './shell/CrashScreen.tsx'
import { layoutOf } from './shell/layouts.ts'
import { ResponseOverlay } from './shell/ResponseOverlay.tsx'
import { shellText } from './text/shell.ts'
import { toast } from './ui/toast.ts'
import { Toaster } from './ui/Toaster.tsx'

// After the page itself: nobody points at anything before they see it.
const Tooltip = lazy(async () => ({ default: (await import('./ui/Tooltip.tsx')).Tooltip }))

const RELOAD_PAUSE_MS = 10_000

const pages = import.meta.glob<{ default: ResolvedComponent }>('./pages/*.tsx')

/** Loads a page by its registered name; a name that this version does not know is the 404 page. */
async function resolve(name: string): Promise<ResolvedComponent> {
  const load = pages[`./pages/${name}.tsx`] ?? pages['./pages/NotFound.tsx']
  if (!load) throw new Error(`No page ${name}`)
  return (await load()).default
}

// After a new version is installed, the pages of the old one are gone: only a full visit brings the new ones. Not
// without a network, and not again and again.
addEventListener('vite:preloadError', () => {
  const since = Date.now() - Number(sessionStorage.getItem('reloaded_at'))
  if (!navigator.onLine || since < RELOAD_PAUSE_MS) return
  sessionStorage.setItem('reloaded_at', String(Date.now()))
  location.reload()
})

router.on('networkError', (event: Event) => {
  event.preventDefault()
  toast.error(shellText.pageFailed)
})

void createInertiaApp({
  resolve,
  layout: layoutOf,
  title: (title: string) => (title ? `${title} · ${shellText.brand}` : shellText.brand),
  progress: { delay: 250, color: '#29d', includeCSS: false },
  strictMode: true,
  withApp: (app: ReactElement) => (
    <CrashScreen>
      <QueryClientProvider client={queryClient}>
        {app}
        <ResponseOverlay />
        <Toaster />
        <Suspense>
          <Tooltip />
        </Suspense>
      </QueryClientProvider>
    </CrashScreen>
  ),
})
