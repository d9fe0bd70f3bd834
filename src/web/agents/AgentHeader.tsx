import { Link, router } from '@inertiajs/react'
import { clsx } from 'clsx'
import { History, MoreHorizontal, SquarePen } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AgentCard } from '#contract/agents/agents.ts'
import { useConversations } from '#web/conversations/conversations.ts'
import { useUser } from '#web/core/user.ts'
import { ExportMenu } from '#web/export/export.ts'
import { SessionGroups } from '#web/history/history.ts'
import { ShareButton } from '#web/shares/shares.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { AgentLogo } from './AgentLogo.tsx'
import { createAgentItems, DeleteAgentDialog } from './agentActions.tsx'
import { toChatbot } from './queries.ts'

const WidgetDialog = lazyComponent(() => import('./widget/WidgetDialog.tsx'), {
  getOnClose: ({ onClose }) => onClose,
})

type Props = {
  agent: AgentCard
  /** The conversation that is shown; null of one without a question. */
  sess_id: string | null
}

/** Who answers, the person's conversations with it, and what can be done with the one shown and by an owner with the agent. */
export function AgentHeader({ agent, sess_id }: Props) {
  const { uuid, name, logo, desc, owned } = agent
  const user = useUser()
  const isSignedIn = user !== null
  const [isRemoving, setIsRemoving] = useState(false)
  const [isEmbedding, setIsEmbedding] = useState(false)
  const hasMessages = useConversations(
    ({ byId }) => sess_id !== null && Boolean(byId[sess_id]?.messages.length),
  )
  // A phone has room for the name alone beside the buttons of a conversation.
  const roomyClass = clsx(hasMessages && 'max-md:hidden')
  return (
    <>
      <div className={clsx('ml-1', roomyClass)}>
        <AgentLogo name={name} logo={logo} size="sm" />
      </div>
      <div className="ml-2 min-w-0 flex-1 max-md:ml-1">
        <h1 className="truncate leading-5 font-semibold">{name}</h1>
        <p className={clsx('truncate text-xs leading-4.5 text-ink3 empty:hidden', roomyClass)}>{desc}</p>
      </div>
      {isSignedIn && (
        <div className="flex shrink-0 items-center gap-1 max-md:gap-0">
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
          <AgentSessions agent={agent} />
          {sess_id && hasMessages && (
            <>
              <ShareButton sess_id={sess_id} />
              <ExportMenu sess_id={sess_id} />
            </>
          )}
          {owned && (
            <Menu
              placement="bottom-end"
              items={createAgentItems(agent, {
                onRemove: () => setIsRemoving(true),
                onEmbed: () => setIsEmbedding(true),
                organization: user?.organization?.name,
              })}
              trigger={(trigger) => (
                <IconButton {...trigger} label={agentsText.menu(name)}>
                  <MoreHorizontal size={18} aria-hidden />
                </IconButton>
              )}
            />
          )}
        </div>
      )}
      {isEmbedding && <WidgetDialog agent={agent} onClose={() => setIsEmbedding(false)} />}
      <DeleteAgentDialog
        agent={isRemoving ? agent : null}
        onClose={() => setIsRemoving(false)}
        onRemoved={() => router.visit('/agents')}
      />
    </>
  )
}

/** The person's conversations with an agent. */
function AgentSessions({ agent: { uuid, name } }: { agent: AgentCard }) {
  const [open, setOpen] = useState(false)
  useEffect(() => router.on('navigate', () => setOpen(false)), [])
  return (
    <>
      <IconButton label={historyText.sessions} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <History size={18} aria-hidden />
      </IconButton>
      <Dialog open={open} onOpenChange={setOpen} title={agentsText.sessions(name)}>
        <div className="-mx-3 -mt-3">
          <SessionGroups chatbot={toChatbot(uuid)} />
        </div>
      </Dialog>
    </>
  )
}
