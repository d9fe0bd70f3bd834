import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export type { SlashHandle } from './SlashList.tsx'

/** What the composer shows of the prompts. */
export const ComposerPrompts = lazyComponent(() => import('./ComposerPrompts.tsx'), {
  // What begins with a slash may be no more than a text: only the library is missed.
  getOnClose: ({ isLibraryOpen, onLibraryChange }) => (isLibraryOpen ? () => onLibraryChange(false) : null),
})

/** The prompts that the person has written, on a page of their own. */
export const OwnPrompts = lazyComponent(() => import('./OwnPrompts.tsx'))
