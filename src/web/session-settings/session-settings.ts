import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

// Few open it: not part of the first load.
/** The settings of a conversation. */
export const SettingsDialog = lazyComponent(() => import('./SettingsDialog.tsx'), {
  getOnClose: ({ open, onOpenChange }) => open && (() => onOpenChange(false)),
})
