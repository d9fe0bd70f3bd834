import { Link } from '@inertiajs/react'
import { MessageSquareOff } from 'lucide-react'
import { usePageUrl } from '#web/core/page.ts'
import { chatText } from '#web/text/chat.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { MissingState } from '#web/ui/SignInGate.tsx'
import type { Conversation } from '#web/conversations/conversations.ts'

type Props = { error: NonNullable<Conversation['loadError']>; onRetry: () => void }

/** Stands in place of messages that could not be loaded. */
export function ThreadError({ error, onRetry }: Props) {
  const { pathname } = usePageUrl()
  return (
    <div className="grid flex-1 place-items-center">
      {error.isGone ? (
        <MissingState
          icon={<MessageSquareOff size={28} />}
          title={chatText.gone}
          signInHint={chatText.signInToSeeHint}
          action={
            <Link href={pathname} className={buttonClass()}>
              {chatText.newSession}
            </Link>
          }
        />
      ) : (
        <EmptyState
          icon={<MessageSquareOff size={28} />}
          title={chatText.loadFailed}
          description={error.message}
          action={<Button onClick={onRetry}>{chatText.retry}</Button>}
        />
      )}
    </div>
  )
}
