import { lazy, type Ref, type RefObject, Suspense } from 'react'
import SlashList, { type SlashHandle } from './SlashList.tsx'

const PromptLibrary = lazy(() => import('./PromptLibrary.tsx'))

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
    return (
      <Suspense>
        <PromptLibrary onChoose={onChoose} onClose={() => onLibrary(false)} />
      </Suspense>
    )
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
