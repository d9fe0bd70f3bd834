import { AppPage } from '#web/shell/AppPage.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

// Imported through the chat: the shared parts stay in the chat's own chunk, so that its first load is no larger.
const Composer = lazyComponent(async () => ({ default: (await import('./Chat.tsx')).Composer }))
const ComparePage = lazyComponent(async () => ({ default: (await import('./Chat.tsx')).ComparePage }))

/** Asks several models one question, side by side. `?sess_id=` names the comparison; without it a new one begins. */
export default function Compare() {
  return (
    <ComparePage
      renderComposer={(props) => <Composer {...props} />}
      renderPage={(page) => <AppPage {...page} />}
    />
  )
}
