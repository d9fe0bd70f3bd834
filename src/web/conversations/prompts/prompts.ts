import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export type { SlashHandle } from './SlashList.tsx'

/** The list behind `/` and the prompt library. */
export const ComposerPrompts = lazyComponent(() => import('./ComposerPrompts.tsx'), {
  // A leading slash may be plain text, so only a library that fails to load is reported.
  getOnClose: ({ isLibraryOpen, onLibraryChange }) => (isLibraryOpen ? () => onLibraryChange(false) : null),
})

/** The person's own prompts, on a page of their own. */
export const OwnPrompts = lazyComponent(() => import('./OwnPrompts.tsx'))
