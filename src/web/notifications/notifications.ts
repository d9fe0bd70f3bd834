import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

// Loaded at once, but the first paint does not wait for them, and a failure to load is silent.
export const NotificationBell = lazyComponent(() => import('./NotificationBell.tsx'), {
  eager: true,
  silent: true,
})
export const UnreadDot = lazyComponent(() => import('./UnreadDot.tsx'), { eager: true, silent: true })

export const NotificationList = lazyComponent(async () => ({
  default: (await import('./NotificationList.tsx')).NotificationList,
}))
export const ReleaseList = lazyComponent(async () => ({
  default: (await import('./ReleaseList.tsx')).ReleaseList,
}))
