import { Copy, Ellipsis, MessageSquareQuote, PenLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '#web/core/format.ts'
import { isWidget } from '#web/core/page.ts'
import { chatText } from '#web/text/chat.ts'
import { messagesText } from '#web/text/messages.ts'
import { copyText } from '#web/ui/clipboard.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { Menu, type MenuDivider, type MenuItem } from '#web/ui/Menu.tsx'
import type { MessageActions } from './messageActions.ts'
import type { Message } from '#web/conversations/conversations.ts'
import { MessageTime } from '../MessageTime.tsx'
import { QuestionBubble, QuestionDocuments } from './QuestionBubble.tsx'
import { VersionPager } from './VersionPager.tsx'

const EditQuestion = lazyComponent(() => import('./EditQuestion.tsx'), {
  getOnClose: ({ onCancel }) => onCancel,
  fallback: () => <div className="h-32" />,
})
const RemoveTurn = lazyComponent(() => import('./DeleteTurnDialog.tsx'), {
  getOnClose: ({ onClose }) => onClose,
})

type Props = {
  message: Message
  /** An answer is being written, so nothing in the conversation can be changed. */
  busy: boolean
  actions: MessageActions
}

/** Shows a question as written, in a soft bubble on the right, where it can be edited. */
export function Question({ message, busy, actions }: Props) {
  const [openPart, setDoing] = useState<'edit' | 'remove' | null>(null)
  const close = () => setDoing(null)
  const isPlain = isWidget()
  if (openPart === 'edit') {
    const send = (prompt: string) => {
      close()
      actions.edit(message, prompt)
    }
    return <EditQuestion text={message.text} busy={busy} onSend={send} onCancel={close} />
  }
  return (
    <div className="group py-3">
      <QuestionDocuments message={message} />
      <article aria-label={chatText.question} className="flex justify-end gap-1">
        <div className="flex items-end self-end transition-opacity md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100 md:has-aria-expanded:opacity-100">
          <IconButton
            label={chatText.copyQuestion}
            size="sm"
            onClick={() => void copyText(message.text)}
            className="max-md:hidden"
          >
            <Copy size={15} aria-hidden />
          </IconButton>
          {!message.local && !isPlain && (
            <QuestionMenu
              message={message}
              busy={busy}
              actions={actions}
              onEdit={() => setDoing('edit')}
              onRemove={() => setDoing('remove')}
            />
          )}
        </div>
        <QuestionBubble message={message} />
      </article>
      <div className="relative flex items-center justify-end pt-0.5">
        {!isPlain && (
          <MessageTime
            at={message.created_at}
            className={message.versions.length < 2 ? 'absolute top-0.5 right-0' : undefined}
          />
        )}
        {!isPlain && <VersionPager message={message} disabled={busy} onChoose={actions.selectVersion} />}
      </div>
      {openPart === 'remove' && <RemoveTurn onDelete={() => actions.deleteTurn(message)} onClose={close} />}
    </div>
  )
}

type MenuProps = Props & { onEdit: () => void; onRemove: () => void }

function QuestionMenu({ message: turn, busy, actions, onEdit, onRemove }: MenuProps) {
  const items: (MenuItem | MenuDivider)[] = [
    { heading: formatDateTime(turn.created_at) },
    {
      label: messagesText.copy,
      icon: <Copy size={16} />,
      onSelect: () => void copyText(turn.text),
    },
    {
      label: messagesText.quote,
      icon: <MessageSquareQuote size={16} />,
      onSelect: () => actions.quote(turn.text),
    },
    { label: messagesText.edit, icon: <PenLine size={16} />, disabled: busy, onSelect: onEdit },
    {
      label: messagesText.remove,
      icon: <Trash2 size={16} />,
      danger: true,
      disabled: busy,
      onSelect: onRemove,
    },
  ]
  return (
    <>
      <IconButton
        label={messagesText.edit}
        size="sm"
        disabled={busy}
        onClick={onEdit}
        className="max-md:hidden"
      >
        <PenLine size={15} aria-hidden />
      </IconButton>
      <Menu
        placement="bottom-end"
        items={items}
        trigger={(props) => (
          <IconButton {...props} label={messagesText.actions} size="sm">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        )}
      />
    </>
  )
}
