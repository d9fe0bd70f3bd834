import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

// Few people open it, so it is not part of the first load.
export const SettingsDialog = lazyComponent(() => import('./SettingsDialog.tsx'), {
  getOnClose: ({ open, onOpenChange }) => open && (() => onOpenChange(false)),
})
