import { useState } from 'react'
import type { Prompt } from '#contract/prompts.ts'
import { promptsText } from '../text/prompts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { PromptForm } from './PromptForm.tsx'
import { PromptList } from './PromptList.tsx'
import { RemovePrompt } from './RemovePrompt.tsx'

type Props = { onChoose: (text: string) => void; onClose: () => void }

/** All prompts to look through; own ones are written, changed and deleted here too. */
export default function PromptLibrary({ onChoose, onClose }: Props) {
  const [written, setWritten] = useState<Prompt | 'new' | null>(null)
  const [removed, setRemoved] = useState<Prompt | null>(null)
  const [filter, setFilter] = useState({ q: '', category: '' })
  const title =
    written === null ? promptsText.title : written === 'new' ? promptsText.createTitle : promptsText.editTitle
  return (
    <Dialog
      kind="wide"
      open
      onOpenChange={onClose}
      title={title}
      {...(written ? {} : { description: promptsText.hint })}
    >
      {written ? (
        <PromptForm prompt={written === 'new' ? null : written} onClose={() => setWritten(null)} />
      ) : (
        <PromptList
          filter={filter}
          onFilter={setFilter}
          onChoose={onChoose}
          onWrite={setWritten}
          onRemove={setRemoved}
        />
      )}
      <RemovePrompt prompt={removed} onClose={() => setRemoved(null)} />
    </Dialog>
  )
}
