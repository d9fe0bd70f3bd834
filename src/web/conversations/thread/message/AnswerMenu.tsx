import {
  Copy,
  Ellipsis,
  FileType,
  Image,
  MessageSquareQuote,
  PenLine,
  Replace,
  RotateCcw,
  Sparkles,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { withModule } from '#web/ui/lazy/withModule.ts'
import { formatDateTime } from '#web/core/format.ts'
import { messagesText } from '#web/text/messages.ts'
import { copyText } from '#web/ui/clipboard.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { Menu, type MenuDivider, type MenuItem } from '#web/ui/Menu.tsx'
import type { MessageActions } from './messageActions.ts'
import { type ExportFormat, getExportModule } from '#web/conversations/export/export.ts'
import {
  requestRelatedPrompts,
  setRelatedEnabled,
  useRelatedSetting,
  type Message,
} from '#web/conversations/conversations.ts'
import { getSelectedTextOf } from './selection.ts'

const getOnClose = ({ onClose }: { onClose: () => void }) => onClose
const ChooseModel = lazyComponent(() => import('./OtherModelDialog.tsx'), { getOnClose })
const RemoveTurn = lazyComponent(() => import('./DeleteTurnDialog.tsx'), { getOnClose })

type Props = { message: Message; text: string; isLast: boolean; busy: boolean; actions: MessageActions }

/** Offers all actions on an answer. */
export function AnswerMenu({ message, text, isLast, busy, actions }: Props) {
  const [openDialog, setOpenDialog] = useState<'model' | 'remove' | null>(null)
  const related = useRelatedSetting(({ on }) => on)
  const icon = { size: 16 }
  const onClose = () => setOpenDialog(null)
  const toggleRelated = () => {
    setRelatedEnabled(!related)
    if (!related && isLast && message.status === 'done')
      void requestRelatedPrompts(message.sess_id, message.id)
  }
  const exportAs = (format: ExportFormat) =>
    void withModule(getExportModule, ({ exportAnswer }) => exportAnswer(message, format))
  const includeIf = (condition: boolean, item: MenuItem): MenuItem[] => (condition ? [item] : [])
  const items: (MenuItem | MenuDivider)[] = [
    { heading: formatDateTime(message.created_at) },
    ...includeIf(text !== '', {
      label: messagesText.copy,
      icon: <Copy {...icon} />,
      onSelect: () => void copyText(text),
    }),
    ...includeIf(text !== '', {
      label: messagesText.quote,
      icon: <MessageSquareQuote {...icon} />,
      onSelect: () => actions.quote(getSelectedTextOf(message.id) || text),
    }),
    ...includeIf(isLast && message.continuable, {
      label: messagesText.continueAnswer,
      icon: <PenLine {...icon} />,
      disabled: busy,
      onSelect: () => actions.continueAnswer(message),
    }),
    {
      label: messagesText.regenerate,
      icon: <RotateCcw {...icon} />,
      disabled: busy,
      onSelect: () => actions.regenerate(message),
    },
    ...includeIf(actions.canChooseModel, {
      label: messagesText.otherModel,
      description: messagesText.otherModelHint,
      icon: <Replace {...icon} />,
      disabled: busy,
      onSelect: () => setOpenDialog('model'),
    }),
    'separator',
    ...includeIf(isLast, {
      label: messagesText.related,
      description: messagesText.relatedHint,
      icon: <Sparkles {...icon} />,
      checked: related,
      onSelect: toggleRelated,
    }),
    ...includeIf(text !== '', {
      label: messagesText.exportWord,
      icon: <FileType {...icon} />,
      onSelect: () => exportAs('word'),
    }),
    ...includeIf(text !== '', {
      label: messagesText.exportPicture,
      icon: <Image {...icon} />,
      onSelect: () => exportAs('picture'),
    }),
    {
      label: messagesText.remove,
      icon: <Trash2 {...icon} />,
      danger: true,
      disabled: busy,
      onSelect: () => setOpenDialog('remove'),
    },
  ]
  return (
    <>
      <Menu
        className="w-72"
        items={items}
        trigger={(props) => (
          <IconButton {...props} label={messagesText.actions} size="sm">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        )}
      />
      {openDialog === 'model' && (
        <ChooseModel
          conversation_id={message.sess_id}
          onChoose={(model) => actions.regenerate(message, model)}
          onClose={onClose}
        />
      )}
      {openDialog === 'remove' && (
        <RemoveTurn onDelete={() => actions.deleteTurn(message)} onClose={onClose} />
      )}
    </>
  )
}
