import type { Ref, RefObject } from 'react'
import { lazyPart } from '../ui/lazyPart.tsx'
import SlashList, { type SlashHandle } from './SlashList.tsx'

const PromptLibrary = lazyPart(() => import('./PromptLibrary.tsx'), { close: ({ onClose }) => onClose })

type Props = {
  /** Takes keys while the list is shown. */
  ref: Ref<SlashHandle>
  field: RefObject<HTMLTextAreaElement | null>
  /** What was typed after a slash, or null. */
  slash: string | null
  /** The library is open, instead of the list. */
  library: boolean
  onChoose: (text: string) => void
  onLibrary: (open: boolean) => void
  onClose: () => void
}

/** What the composer shows of the prompts, all of it loaded when first needed. */
export default function ComposerPrompts({ ref, field, slash, library, onChoose, onLibrary, onClose }: Props) {
  if (library) {
    return <PromptLibrary onChoose={onChoose} onClose={() => onLibrary(false)} />
  }
  if (slash === null) return null
  return (
    <SlashList
      ref={ref}
      field={field}
      q={slash}
      onChoose={onChoose}
      onBrowse={() => onLibrary(true)}
      onClose={onClose}
    />
  )
}
