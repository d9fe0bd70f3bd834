import { ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { useUser } from '#web/core/user.ts'
import { chatText } from '#web/text/chat.ts'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { chooseModel, getRecentModels, ModelList, type ModelChoice } from './modelChoice.ts'

export {
  addRecentModel,
  chooseModel,
  getRecentModels,
  type ModelChoice,
  ModelList,
  useModelChoice,
  useModelNames,
} from './modelChoice.ts'
export { isUsable } from './usableModels.ts'

type Props = { modelChoice: ModelChoice; conversation_id: string }

/** The model that the next question goes to, in the page's top bar. What it opens is loaded then. */
export function ModelPicker({ modelChoice: { models, model, query }, conversation_id }: Props) {
  const guest = useUser() === null
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpenOnPress = useRef(false)
  if (query.isPending) return <Skeleton className="mx-2 h-5 w-28" />
  if (query.isError) {
    return (
      <Button variant="ghost" onClick={() => void query.refetch()}>
        {chatText.modelsFailed} · {chatText.retry}
      </Button>
    )
  }
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <>
      <Button
        ref={button}
        variant="ghost"
        className="min-w-0 px-2.5! text-reading! font-normal! text-ink!"
        aria-label={`${chatText.modelPicker}：${model?.name ?? ''}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        // The press that closes the list from outside must not open it again with its click.
        onPointerDown={() => {
          wasOpenOnPress.current = open
        }}
        onClick={() => {
          setOpen(!wasOpenOnPress.current)
          wasOpenOnPress.current = false
        }}
      >
        <span className="truncate">{model?.name ?? chatText.modelPicker}</span>
        {model?.local && model.name !== chatText.localModel && (
          <span className="rounded-md bg-fill px-1.5 py-0.5 text-xs text-ink2">{chatText.localModel}</span>
        )}
        <ChevronDown size={15} aria-hidden className="text-ink3" />
      </Button>
      {open && (
        <ModelList
          anchor={button}
          models={models}
          recent={getRecentModels()}
          current={model?.id ?? null}
          guest={guest}
          onChoose={(id) => {
            chooseModel(id, conversation_id)
            close()
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
