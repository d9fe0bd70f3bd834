import type { ReactElement } from 'react'
import { ErrorBoundary } from '#web/shell/ErrorBoundary.tsx'
import { resolveLayout } from '#web/shell/layouts.ts'
import { shellText } from '#web/text/shell.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

// Loaded at once, so that it is there when the server is not. The first paint does not wait for it.
const Overlays = lazyComponent(() => import('#web/shell/Overlays.tsx'), { eager: true, silent: true })

/** Options shared by the browser and the prerendering build, since both must draw the same. */
export const appOptions = {
  layout: resolveLayout,
  title: (title: string) => (title ? `${title} · ${shellText.brand}` : shellText.brand),
  strictMode: true,
  withApp: (app: ReactElement) => (
    <ErrorBoundary>
      {app}
      <Overlays />
    </ErrorBoundary>
  ),
}
