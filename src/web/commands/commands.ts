import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export { runCommand, useCommands } from './commandRegistry.ts'

/** The keyboard's way to commands, the palette and the list of shortcuts: once in every layout. */
export const CommandLayer = lazyComponent(() => import('./CommandLayer.tsx'), { silent: true })
