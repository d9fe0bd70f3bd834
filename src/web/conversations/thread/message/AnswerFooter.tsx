import { clsx } from 'clsx'
import { Copy, RotateCcw } from 'lucide-react'
import { useConfig, isWidget } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { chatText } from '#web/text/chat.ts'
import { messagesText } from '#web/text/messages.ts'
import { Button } from '#web/ui/Button.tsx'
import { copyText } from '#web/ui/clipboard.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ReadAloudButton } from '#web/conversations/voice/voice.ts'
import type { MessageActions } from './messageActions.ts'
import { FeedbackButtons } from '../feedback/FeedbackButtons.tsx'
import { MessageTime } from '../MessageTime.tsx'
import { AnswerMenu } from './AnswerMenu.tsx'
import { AnswerStats } from './AnswerStats.tsx'
import { ForkButton } from './ForkButton.tsx'
import { useConversations, type Message } from '#web/conversations/conversations.ts'
import { VersionPager } from './VersionPager.tsx'

type Props = { message: Message; text: string; isLast: boolean; busy: boolean; actions: MessageActions }

/** Shows an answer's actions, versions and cost below it. On wide screens older answers show the actions on hover. */
export function AnswerFooter({ message, text, isLast, busy, actions }: Props) {
  const { read_aloud } = useConfig()
  const signedIn = useUser() !== null
  const isPlain = isWidget()
  const isComplete = message.status === 'done' || message.status === 'cancelled'
  return (
    <div className="-ml-1.5 flex min-h-9 flex-wrap items-center gap-x-0.5 pt-1 max-md:min-h-11">
      {isLast && message.continuable && (
        <Button
          size="sm"
          disabled={busy}
          onClick={() => actions.continueAnswer(message)}
          className="mr-1.5 ml-1.5"
        >
          {messagesText.continueAnswer}
        </Button>
      )}
      <div
        className={clsx(
          // A button that does not fit beside the others stands before the figures.
          isLast
            ? 'contents'
            : 'flex items-center gap-0.5 transition-opacity md:order-last md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100 md:has-aria-expanded:opacity-100',
        )}
      >
        {text && (
          <IconButton
            label={chatText.copyAnswer}
            size="sm"
            onClick={() => void copyText(text)}
            className={isLast ? undefined : 'max-md:hidden'}
          >
            <Copy size={16} aria-hidden />
          </IconButton>
        )}
        {text && read_aloud && signedIn && <ReadAloudButton messageKey={message.key} />}
        {isLast && isComplete && (
          <IconButton label={chatText.regenerate} size="sm" onClick={() => actions.regenerate(message)}>
            <RotateCcw size={16} aria-hidden />
          </IconButton>
        )}
        {!message.local && !isPlain && (
          <>
            {text && <FeedbackButtons message={message} />}
            <ForkButton message={message} onFork={actions.openFork} />
            <AnswerMenu message={message} text={text} isLast={isLast} busy={busy} actions={actions} />
          </>
        )}
      </div>
      {!isPlain && (
        <>
          <VersionPager message={message} disabled={busy} onChoose={actions.selectVersion} />
          <OtherAuthor message={message} />
          <AnswerStats message={message} />
          <MessageTime at={message.created_at} className="ml-auto" />
        </>
      )}
    </div>
  )
}

/** Names the author of an answer copied from a conversation with another agent. */
function OtherAuthor({ message: { agent, sess_id, local } }: { message: Message }) {
  const chatbot = useConversations((state) => state.byId[sess_id]?.chatbot)
  const [, ownAgent = null] = /^zhiku-(.+)$/.exec(chatbot ?? '') ?? []
  if (local || agent === ownAgent) return null
  const text =
    agent === null
      ? messagesText.generalAnswer
      : ownAgent === null
        ? messagesText.agentAnswer
        : messagesText.otherAgentAnswer
  return <span className="ml-1.5 text-xs leading-4 text-ink2">{text}</span>
}
