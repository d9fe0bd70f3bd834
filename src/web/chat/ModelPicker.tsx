import { ChevronDown } from 'lucide-react'
import type { ChatModel } from '#contract/models.ts'
import { useUser } from '../core/user.ts'
import { chatText } from '../text/chat.ts'
import { Button } from '../ui/Button.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { chooseModel, usable, useModels } from './models.ts'

/** Why a model cannot be chosen, or what it is. */
function describe(model: ChatModel, guest: boolean): string {
  if (!model.available) return chatText.modelUnavailable
  if (guest && !model.guest) return chatText.modelNeedsSignIn
  const mark = model.local && model.name !== chatText.localModel ? chatText.localModel : ''
  return [mark, model.desc, guest ? chatText.modelForGuests : ''].filter(Boolean).join(' · ')
}

/** The model that the next question goes to, in the page's top bar. */
export function ModelPicker() {
  const guest = useUser() === null
  const { models, model, query } = useModels(guest)
  if (query.isPending) return <Skeleton className="mx-2 h-5 w-28" />
  if (query.isError) {
    return (
      <Button variant="ghost" onClick={() => void query.refetch()}>
        {chatText.modelsFailed} · {chatText.retry}
      </Button>
    )
  }
  // What can be chosen comes first; the order of the catalogue is kept within.
  const ordered = [
    ...models.filter((some) => usable(some, guest)),
    ...models.filter((some) => !usable(some, guest)),
  ]
  const items = ordered.map((some): MenuItem => ({
    label: some.name,
    description: describe(some, guest),
    checked: some.id === model?.id,
    disabled: !usable(some, guest),
    onSelect: () => chooseModel(some.id),
  }))
  return (
    <Menu
      className="w-80"
      items={items}
      trigger={(props) => (
        <Button
          {...props}
          variant="ghost"
          className="min-w-0 px-2.5! text-[15px]! font-normal! text-ink!"
          aria-label={`${chatText.modelPicker}：${model?.name ?? ''}`}
        >
          <span className="truncate">{model?.name ?? chatText.modelPicker}</span>
          {model?.local && model.name !== chatText.localModel && (
            <span className="rounded-md bg-fill px-1.5 py-0.5 text-xs text-ink2">{chatText.localModel}</span>
          )}
          <ChevronDown size={15} aria-hidden className="text-ink3" />
        </Button>
      )}
    />
  )
}
