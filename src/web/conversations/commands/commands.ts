import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export { runCommand, useCommands } from './commandRegistry.ts'

/** Keyboard shortcuts, the palette and the list of shortcuts; each layout has it once. */
export const CommandLayer = lazyComponent(() => import('./CommandLayer.tsx'), { silent: true })
