import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export { ContinueShare } from './ContinueShare.tsx'
export { SharedMessages } from './SharedMessages.tsx'

/** The person's links, on a page of their own. */
export const ShareList = lazyComponent(async () => ({ default: (await import('./MyShares.tsx')).ShareList }))

export const ShareDialog = lazyComponent(() => import('./ShareDialog.tsx'), {
  getOnClose: ({ onClose }) => onClose,
})
