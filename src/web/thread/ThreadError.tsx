import { Link } from '@inertiajs/react'
import { MessageSquareOff } from 'lucide-react'
import { usePageUrl } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { chatText } from '#web/text/chat.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { SignInLink } from '#web/ui/SignInGate.tsx'
import type { Conversation } from '#web/conversations/conversations.ts'

type Props = { error: NonNullable<Conversation['loadError']>; onRetry: () => void }

/** In the place of messages that could not be loaded. */
export function ThreadError({ error, onRetry }: Props) {
  const { pathname } = usePageUrl()
  // It may well be there, for whoever signs in.
  if (useUser() === null && error.gone)
    return (
      <div className="grid flex-1 place-items-center">
        <EmptyState
          icon={<MessageSquareOff size={28} />}
          title={chatText.signInToSee}
          description={chatText.signInToSeeHint}
          action={
            <div className="flex gap-2">
              <SignInLink variant="primary" />
              <Link href={pathname} className={buttonClass()}>
                {chatText.newSession}
              </Link>
            </div>
          }
        />
      </div>
    )
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState
        icon={<MessageSquareOff size={28} />}
        title={error.gone ? chatText.gone : chatText.loadFailed}
        description={error.gone ? '' : error.message}
        action={
          error.gone ? (
            <Link href={pathname} className={buttonClass()}>
              {chatText.newSession}
            </Link>
          ) : (
            <Button onClick={onRetry}>{chatText.retry}</Button>
          )
        }
      />
    </div>
  )
}
