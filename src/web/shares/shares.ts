import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export { copyLink } from './copyLink.ts'
export { ContinueShare } from './ContinueShare.tsx'
export { SharedMessages } from './SharedMessages.tsx'

/** Opens what shares a conversation. */
export const ShareButton = lazyComponent(() => import('./ShareButton.tsx'), { silent: true })
