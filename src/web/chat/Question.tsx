import { Copy, Ellipsis, MessageSquareQuote, PenLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { chatText } from '../text/chat.ts'
import { turnsText } from '../text/turns.ts'
import { copyText } from '../ui/copyText.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { FoldedText } from './paste/FoldedText.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import type { TurnActions } from './actions.ts'
import type { Turn } from './turns.ts'
import { VersionPager } from './VersionPager.tsx'

const EditQuestion = lazyPart(() => import('./EditQuestion.tsx'), {
  close: ({ onCancel }) => onCancel,
  fallback: () => <div className="h-32" />,
})
const RemoveTurn = lazyPart(() => import('./RemoveTurn.tsx'), { close: ({ onClose }) => onClose })

type Props = {
  turn: Turn
  /** Something is being answered: nothing of the conversation can be changed. */
  busy: boolean
  actions: TurnActions
}

/** What the person asked, as written, in a soft bubble on the right; it can be asked in other words. */
export function Question({ turn, busy, actions }: Props) {
  const [doing, setDoing] = useState<'edit' | 'remove' | null>(null)
  const close = () => setDoing(null)
  if (doing === 'edit') {
    const send = (prompt: string) => {
      close()
      actions.edit(turn, prompt)
    }
    return <EditQuestion text={turn.text} busy={busy} onSend={send} onCancel={close} />
  }
  return (
    <div className="group py-3">
      <article aria-label={chatText.question} className="flex justify-end gap-1">
        <div className="flex items-end self-end transition-opacity md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100 md:has-aria-expanded:opacity-100">
          <IconButton
            label={chatText.copyQuestion}
            size="sm"
            onClick={() => void copyText(turn.text)}
            className="max-md:hidden"
          >
            <Copy size={15} aria-hidden />
          </IconButton>
          {!turn.local && (
            <QuestionMenu
              turn={turn}
              busy={busy}
              actions={actions}
              onEdit={() => setDoing('edit')}
              onRemove={() => setDoing('remove')}
            />
          )}
        </div>
        <div className="max-h-120 max-w-[85%] overflow-y-auto rounded-[18px] bg-fill px-4 py-2.5 text-[15px] leading-7 wrap-anywhere whitespace-pre-wrap">
          <FoldedText text={turn.text} />
        </div>
      </article>
      <div className="flex justify-end pt-0.5">
        <VersionPager turn={turn} disabled={busy} onChoose={actions.choose} />
      </div>
      {doing === 'remove' && <RemoveTurn onRemove={() => actions.remove(turn)} onClose={close} />}
    </div>
  )
}

type MenuProps = Props & { onEdit: () => void; onRemove: () => void }

function QuestionMenu({ turn, busy, actions, onEdit, onRemove }: MenuProps) {
  const items: MenuItem[] = [
    {
      label: turnsText.copy,
      icon: <Copy size={16} />,
      onSelect: () => void copyText(turn.text),
    },
    {
      label: turnsText.quote,
      icon: <MessageSquareQuote size={16} />,
      onSelect: () => actions.quote(turn.text),
    },
    { label: turnsText.edit, icon: <PenLine size={16} />, disabled: busy, onSelect: onEdit },
    {
      label: turnsText.remove,
      icon: <Trash2 size={16} />,
      danger: true,
      disabled: busy,
      onSelect: onRemove,
    },
  ]
  return (
    <>
      <IconButton label={turnsText.edit} size="sm" disabled={busy} onClick={onEdit} className="max-md:hidden">
        <PenLine size={15} aria-hidden />
      </IconButton>
      <Menu
        placement="bottom-end"
        items={items}
        trigger={(props) => (
          <IconButton {...props} label={turnsText.actions} size="sm">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        )}
      />
    </>
  )
}
