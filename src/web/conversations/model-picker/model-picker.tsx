import { ChevronDown } from 'lucide-react'
import { chatText } from '#web/text/chat.ts'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { chooseModel, ModelMenu, type ModelChoice } from './modelChoice.tsx'

export { addRecentModel, chooseModel, type ModelChoice, ModelMenu, useModelChoice } from './modelChoice.tsx'
export { useModelName, usePlatformName } from './displayNames.ts'
export { saveDefaultModel } from './defaultModel.ts'
export { isUsable } from './usableModels.ts'

type Props = { modelChoice: ModelChoice; conversation_id: string }

/** Shows the model that the next question goes to, in the page's top bar. The list is loaded when it is opened. */
export function ModelPicker({ modelChoice: { models, model, query }, conversation_id }: Props) {
  if (query.isPending) return <Skeleton className="mx-2 h-5 w-28" />
  // Loaded models stay, even if reloading them fails.
  if (!query.data) {
    return (
      <Button variant="ghost" onClick={() => void query.refetch()}>
        {chatText.modelsFailed} · {chatText.retry}
      </Button>
    )
  }
  return (
    <ModelMenu
      models={models}
      current={model?.id ?? null}
      onChoose={(id) => chooseModel(id, conversation_id)}
      trigger={(trigger) => (
        <Button
          {...trigger}
          variant="ghost"
          className="min-w-0 shrink! px-2.5! text-reading! font-normal! text-ink!"
          aria-label={`${chatText.modelPicker}：${model?.name ?? ''}`}
        >
          <span className="truncate">{model?.name ?? chatText.modelPicker}</span>
          {model?.local && model.name !== chatText.localModel && (
            <span className="shrink-0 rounded-md bg-fill px-1.5 py-0.5 text-xs text-ink2">
              {chatText.localModel}
            </span>
          )}
          <ChevronDown size={15} aria-hidden className="shrink-0 text-ink3" />
        </Button>
      )}
    />
  )
}
