import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

/** The page of comparisons. */
export const ComparePage = lazyComponent(async () => ({
  default: (await import('./ComparePage.tsx')).ComparePage,
}))
