import type { ReactNode } from 'react'
import { useLatestConversation } from '#web/conversations/conversations.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ZHIKU } from './queries.ts'

export type AgentChatProps = {
  chatbot: string
  sess_id: string | null
  renderEmpty: (ask: (prompt: string) => void) => ReactNode
  onNew: () => void
  heading: ReactNode
}
/** The conversation itself, which is the chat's; another one for each key. */
export type RenderChat = (props: AgentChatProps, key: number) => ReactNode

type Props = Pick<AgentChatProps, 'heading' | 'renderEmpty'> & {
  /** Of the agent, or a draft of it. */
  uuid: string
  renderChat: RenderChat
}

/** The conversation with an agent: the latest one, or a new one. */
export function AgentChat({ uuid, heading, renderEmpty, renderChat }: Props) {
  const chatbot = `${ZHIKU}-${uuid}`
  const { isPending, key, sess_id, begin } = useLatestConversation(chatbot)
  if (isPending)
    return (
      <div className="flex flex-1 flex-col gap-3 p-4">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-4 w-3/4" />
      </div>
    )
  return renderChat({ chatbot, sess_id, onNew: begin, heading, renderEmpty }, key)
}
