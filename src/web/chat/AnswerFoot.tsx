import { clsx } from 'clsx'
import { Copy, RotateCcw } from 'lucide-react'
import { useConfig } from '../core/page.ts'
import { useUser } from '../core/user.ts'
import { chatText } from '../text/chat.ts'
import { turnsText } from '../text/turns.ts'
import { Button } from '../ui/Button.tsx'
import { copyText } from '../ui/copyText.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { ReadAloud } from '../voice/ReadAloud.tsx'
import type { TurnActions } from './actions.ts'
import { AnswerMenu } from './AnswerMenu.tsx'
import { Figures } from './Figures.tsx'
import { ForkButton } from './ForkButton.tsx'
import type { Turn } from './turns.ts'
import { VersionPager } from './VersionPager.tsx'

type Props = { turn: Turn; text: string; last: boolean; busy: boolean; actions: TurnActions }

/** Under an answer: what can be done with it, its versions, what it cost. On wide screens older ones show it on hover. */
export function AnswerFoot({ turn, text, last, busy, actions }: Props) {
  const { read_aloud } = useConfig()
  const signedIn = useUser() !== null
  const ended = turn.status === 'done' || turn.status === 'cancelled'
  return (
    <div className="-ml-1.5 flex min-h-9 flex-wrap items-center gap-x-0.5 pt-1 max-md:min-h-11">
      {last && turn.continuable && (
        <Button size="sm" disabled={busy} onClick={() => actions.goOn(turn)} className="mr-1.5 ml-1.5">
          {turnsText.goOn}
        </Button>
      )}
      <div
        className={clsx(
          'flex items-center gap-0.5',
          !last &&
            'transition-opacity md:order-last md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100 md:has-aria-expanded:opacity-100',
        )}
      >
        {text && (
          <IconButton
            label={chatText.copyAnswer}
            size="sm"
            onClick={() => void copyText(text)}
            className={last ? undefined : 'max-md:hidden'}
          >
            <Copy size={16} aria-hidden />
          </IconButton>
        )}
        {text && read_aloud && signedIn && <ReadAloud turn_key={turn.key} />}
        {last && ended && (
          <IconButton label={chatText.regenerate} size="sm" onClick={() => actions.regenerate(turn)}>
            <RotateCcw size={16} aria-hidden />
          </IconButton>
        )}
        {!turn.local && <ForkButton turn={turn} />}
        {!turn.local && <AnswerMenu turn={turn} text={text} last={last} busy={busy} actions={actions} />}
      </div>
      <VersionPager turn={turn} disabled={busy} onChoose={actions.choose} />
      <Figures turn={turn} />
    </div>
  )
}
