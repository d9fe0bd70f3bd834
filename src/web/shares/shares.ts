import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export { copyLink } from './copyLink.ts'
export { ContinueShare } from './ContinueShare.tsx'
export { SharedMessages } from './SharedMessages.tsx'

/** The links that the person has made, on a page of their own. */
export const ShareList = lazyComponent(async () => ({ default: (await import('./MyShares.tsx')).ShareList }))

/** Opens what shares a conversation. */
export const ShareButton = lazyComponent(() => import('./ShareButton.tsx'), { silent: true })
