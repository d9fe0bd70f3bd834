import { Link } from '@inertiajs/react'
import { LogIn, MessageSquareOff } from 'lucide-react'
import { getLoginUrl } from '#web/core/loginUrl.ts'
import { usePageUrl } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { chatText } from '#web/text/chat.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import type { Conversation } from '#web/conversations/conversations.ts'

type Props = { error: NonNullable<Conversation['loadError']>; onRetry: () => void }

/** In the place of messages that could not be loaded. */
export function ThreadError({ error, onRetry }: Props) {
  const url = usePageUrl()
  const user = useUser()
  // Of a guest nobody knows whether it is theirs.
  const needsSignIn = error.sign_in || (error.gone && !user)
  if (needsSignIn)
    return (
      <div className="grid flex-1 place-items-center">
        <EmptyState
          icon={<LogIn size={28} />}
          title={error.sign_in ? error.message : chatText.signInToRead}
          description={chatText.signInToReadHint}
          action={
            <Link href={getLoginUrl(url)} className={buttonClass({ variant: 'primary' })}>
              {chatText.signIn}
            </Link>
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
            <Link href={url.pathname} className={buttonClass()}>
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
