import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export const TranslatePage = lazyComponent(async () => ({
  default: (await import('./TranslatePage.tsx')).TranslatePage,
}))
