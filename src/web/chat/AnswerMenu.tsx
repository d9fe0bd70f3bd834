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
import { code, withCode } from '../ui/code.ts'
import { turnsText } from '../text/turns.ts'
import { copyText } from '../ui/copyText.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Menu, type MenuBreak, type MenuItem } from '../ui/Menu.tsx'
import type { TurnActions } from './actions.ts'
import type { Format } from './export/transcript.ts'
import { relate, switchRelated, useRelatedSwitch } from './related.ts'
import { selectedIn } from './selection.ts'
import type { Turn } from './turns.ts'

const close = ({ onClose }: { onClose: () => void }) => onClose
const ChooseModel = lazyPart(() => import('./ChooseModel.tsx'), { close })
const RemoveTurn = lazyPart(() => import('./RemoveTurn.tsx'), { close })

const exporting = code(() => import('./export/exportChat.ts'))

type Props = { turn: Turn; text: string; last: boolean; busy: boolean; actions: TurnActions }

/** All that can be done with an answer. */
export function AnswerMenu({ turn, text, last, busy, actions }: Props) {
  const [asking, setAsking] = useState<'model' | 'remove' | null>(null)
  const related = useRelatedSwitch(({ on }) => on)
  const icon = { size: 16 }
  const onClose = () => setAsking(null)
  const wantRelated = () => {
    switchRelated(!related)
    if (!related && last && turn.status === 'done') void relate(turn.sess_id, turn.id)
  }
  const save = (format: Format) => void withCode(exporting, ({ exportAnswer }) => exportAnswer(turn, format))
  const when = (there: boolean, item: MenuItem): MenuItem[] => (there ? [item] : [])
  const items: (MenuItem | MenuBreak)[] = [
    ...when(text !== '', {
      label: turnsText.copy,
      icon: <Copy {...icon} />,
      onSelect: () => void copyText(text),
    }),
    ...when(text !== '', {
      label: turnsText.quote,
      icon: <MessageSquareQuote {...icon} />,
      onSelect: () => actions.quote(selectedIn(turn.id) || text),
    }),
    ...when(last && turn.continuable, {
      label: turnsText.goOn,
      icon: <PenLine {...icon} />,
      disabled: busy,
      onSelect: () => actions.goOn(turn),
    }),
    {
      label: turnsText.regenerate,
      icon: <RotateCcw {...icon} />,
      disabled: busy,
      onSelect: () => actions.regenerate(turn),
    },
    {
      label: turnsText.otherModel,
      description: turnsText.otherModelHint,
      icon: <Replace {...icon} />,
      disabled: busy,
      onSelect: () => setAsking('model'),
    },
    'separator',
    ...when(last, {
      label: turnsText.related,
      description: turnsText.relatedHint,
      icon: <Sparkles {...icon} />,
      checked: related,
      onSelect: wantRelated,
    }),
    ...when(text !== '', {
      label: turnsText.exportWord,
      icon: <FileType {...icon} />,
      onSelect: () => save('word'),
    }),
    ...when(text !== '', {
      label: turnsText.exportPicture,
      icon: <Image {...icon} />,
      onSelect: () => save('picture'),
    }),
    {
      label: turnsText.remove,
      icon: <Trash2 {...icon} />,
      danger: true,
      disabled: busy,
      onSelect: () => setAsking('remove'),
    },
  ]
  return (
    <>
      <Menu
        className="w-72"
        items={items}
        trigger={(props) => (
          <IconButton {...props} label={turnsText.actions} size="sm">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        )}
      />
      {asking === 'model' && (
        <ChooseModel
          conversation_id={turn.sess_id}
          onChoose={(model) => actions.regenerate(turn, model)}
          onClose={onClose}
        />
      )}
      {asking === 'remove' && <RemoveTurn onRemove={() => actions.remove(turn)} onClose={onClose} />}
    </>
  )
}
