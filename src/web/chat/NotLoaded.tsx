import { Link } from '@inertiajs/react'
import { MessageSquareOff } from 'lucide-react'
import { chatText } from '../text/chat.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { Conversation } from './conversation.ts'

type Props = { failed: NonNullable<Conversation['failed']>; onRetry: () => void }

/** In the place of messages that could not be loaded. */
export function NotLoaded({ failed, onRetry }: Props) {
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState
        icon={<MessageSquareOff size={28} />}
        title={failed.gone ? chatText.gone : chatText.loadFailed}
        description={failed.gone ? '' : failed.message}
        action={
          failed.gone ? (
            <Link href="/chat" className={buttonClass()}>
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
