import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

/** The page of translations. */
export const TranslatePage = lazyComponent(async () => ({
  default: (await import('./TranslatePage.tsx')).TranslatePage,
}))
