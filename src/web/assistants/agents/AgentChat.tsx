import { useState, type MouseEvent, type ReactNode } from 'react'
import { useLatestConversation } from '#web/conversations/conversations.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { parsePassageLink, readCitingText } from './passageLink.ts'
import { PassageDialog } from './PassageDialog.tsx'
import { toChatbot } from './queries.ts'

type AgentChatProps = {
  chatbot: string
  sess_id: string | null
  renderEmpty: (ask: (prompt: string) => void) => ReactNode
  onNew: () => void
  onFork: (sessId: string) => void
  onSession?: (sessId: string) => void
  heading: ReactNode
}
/** Renders the conversation itself, which belongs to the chat; another `key` begins another one. */
export type RenderChat = (props: AgentChatProps, key: number) => ReactNode

type Props = Pick<AgentChatProps, 'heading' | 'renderEmpty'> & {
  /** Id of the agent or of a draft of it. */
  uuid: string
  renderChat: RenderChat
}

/** A conversation with an agent: the latest one, or a new one. */
export function AgentChat({ uuid, heading, renderEmpty, renderChat }: Props) {
  const chatbot = toChatbot(uuid)
  const { isPending, key, sess_id, begin, open } = useLatestConversation(chatbot)
  if (isPending)
    return (
      <div className="flex flex-1 flex-col gap-3 p-4">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-4 w-3/4" />
      </div>
    )
  return (
    <PassageLinks>
      {renderChat({ chatbot, sess_id, onNew: begin, onFork: open, heading, renderEmpty }, key)}
    </PassageLinks>
  )
}

/** Opens passages that answers link to, and one that the address links to, in a dialog. */
export function PassageLinks({ children }: { children: ReactNode }) {
  const [passage, setPassage] = useState(() => parsePassageLink(location.href))
  const openPassage = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const cited = link && parsePassageLink(link.href)
    if (!link || !cited || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    setPassage({ ...cited, answer: readCitingText(link) })
  }
  return (
    <>
      {/* Whatever draws an answer. */}
      <div className="contents" onClickCapture={openPassage}>
        {children}
      </div>
      <PassageDialog passage={passage} onClose={() => setPassage(null)} />
    </>
  )
}
