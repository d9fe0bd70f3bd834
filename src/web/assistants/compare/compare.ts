import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export const ComparePage = lazyComponent(async () => ({
  default: (await import('./ComparePage.tsx')).ComparePage,
}))
