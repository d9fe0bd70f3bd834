import type { Ref, RefObject } from 'react'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import SlashList, { type SlashHandle } from './SlashList.tsx'

const PromptLibrary = lazyComponent(() => import('./PromptLibrary.tsx'), {
  getOnClose: ({ onClose }) => onClose,
})

type Props = {
  /** Handles keys while the list is shown. */
  ref: Ref<SlashHandle>
  field: RefObject<HTMLTextAreaElement | null>
  /** The text typed after a slash, or null. */
  slash: string | null
  /** The library is open instead of the list. */
  isLibraryOpen: boolean
  onChoose: (text: string) => void
  onLibraryChange: (open: boolean) => void
  onClose: () => void
}

/** Shows the list behind `/` or the prompt library, which are loaded when first needed. */
export default function ComposerPrompts({
  ref,
  field,
  slash,
  isLibraryOpen,
  onChoose,
  onLibraryChange,
  onClose,
}: Props) {
  if (isLibraryOpen) {
    return <PromptLibrary onChoose={onChoose} onClose={() => onLibraryChange(false)} />
  }
  if (slash === null) return null
  return (
    <SlashList
      ref={ref}
      field={field}
      q={slash}
      onChoose={onChoose}
      onBrowse={() => onLibraryChange(true)}
      onClose={onClose}
    />
  )
}
