import { AppPage } from '#web/shell/AppPage.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

// Imported through the chat: the shared parts stay in the chat's own chunk, so that its first load is no larger.
const TranslatePage = lazyComponent(async () => ({ default: (await import('./Chat.tsx')).TranslatePage }))

/** Translates texts, files and web pages. */
export default function Fanyi() {
  return <TranslatePage renderPage={(page) => <AppPage {...page} />} />
}
