import { Link, router } from '@inertiajs/react'
import { History, MoreHorizontal, SquarePen } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { AgentCard } from '#contract/agents/agents.ts'
import { useConversations } from '#web/conversations/conversations.ts'
import { useUser } from '#web/core/user.ts'
import { SessionGroups } from '#web/conversations/history/history.ts'
import { SessionActions } from '#web/conversations/session-actions/session-actions.tsx'
import { agentsText } from '#web/text/agents/agents.ts'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { HeaderActions } from '#web/ui/layout/HeaderActions.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { AgentLogo } from './AgentLogo.tsx'
import { createAgentItems, DeleteAgentDialog } from './agentActions.tsx'
import { toChatbot } from './queries.ts'

const WidgetDialog = lazyComponent(() => import('./widget/WidgetDialog.tsx'), {
  getOnClose: ({ onClose }) => onClose,
})

type Props = {
  agent: AgentCard
  /** The conversation that is shown; null for one without a question. */
  sess_id: string | null
}

/** The agent's name, the person's conversations with it, and the actions for the conversation shown and for the agent's owner. */
export function AgentHeader({ agent, sess_id }: Props) {
  const { uuid, name, logo, desc, owned } = agent
  const user = useUser()
  const isSignedIn = user !== null
  const [isListing, setIsListing] = useState(false)
  const [isRemoving, setIsRemoving] = useState(false)
  const [isEmbedding, setIsEmbedding] = useState(false)
  const hasMessages = useConversations(
    ({ byId }) => sess_id !== null && Boolean(byId[sess_id]?.messages.length),
  )
  const sessions = { label: historyText.sessions, icon: History, onSelect: () => setIsListing(true) }
  const items = createAgentItems(agent, {
    onRemove: () => setIsRemoving(true),
    onEmbed: () => setIsEmbedding(true),
    organization: user?.organization?.name,
  })
  const ownActions = owned ? [{ label: agentsText.menu(name), icon: MoreHorizontal, items }] : []
  return (
    <>
      <div className="ml-1">
        <AgentLogo name={name} logo={logo} size="sm" />
      </div>
      <div className="ml-2 min-w-0 flex-1 max-md:ml-1">
        <h1 className="truncate leading-5 font-semibold">{name}</h1>
        <p className="truncate text-xs leading-4.5 text-ink3 empty:hidden">{desc}</p>
      </div>
      {isSignedIn && (
        <div className="flex shrink-0 items-center gap-1">
          {/* On a phone the frame has such a button. */}
          {sess_id && (
            <Link
              href={`/chat/agent/${uuid}`}
              aria-label={chatText.newSession}
              data-tooltip={chatText.newSession}
              className="inline-flex size-9 items-center justify-center rounded-lg text-ink2 transition-colors hover:bg-fill hover:text-ink max-md:hidden"
            >
              <SquarePen size={18} aria-hidden />
            </Link>
          )}
          {sess_id && hasMessages ? (
            <SessionActions sess_id={sess_id} before={[sessions]} after={ownActions} />
          ) : (
            <HeaderActions actions={[sessions, ...ownActions]} />
          )}
        </div>
      )}
      <AgentSessions agent={agent} open={isListing} onOpenChange={setIsListing} />
      {isEmbedding && <WidgetDialog agent={agent} onClose={() => setIsEmbedding(false)} />}
      <DeleteAgentDialog
        agent={isRemoving ? agent : null}
        onClose={() => setIsRemoving(false)}
        onRemoved={() => router.visit('/agents')}
      />
    </>
  )
}

type SessionsProps = { agent: AgentCard; open: boolean; onOpenChange: (open: boolean) => void }

/** The person's conversations with an agent. */
function AgentSessions({ agent: { uuid, name }, open, onOpenChange }: SessionsProps) {
  const close = useEffectEvent(() => onOpenChange(false))
  useEffect(() => router.on('navigate', () => close()), [])
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={agentsText.sessions(name)}>
      <div className="-mx-3 -mt-3">
        <SessionGroups chatbot={toChatbot(uuid)} />
      </div>
    </Dialog>
  )
}
