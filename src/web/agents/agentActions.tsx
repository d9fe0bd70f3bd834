import { router } from '@inertiajs/react'
import { AppWindow, Link2, Lock, Pencil, Trash2 } from 'lucide-react'
import { PRIVATE, PUBLIC } from '#contract/agents/agent-defaults.ts'
import type { AgentCard } from '#contract/agents/agents.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { widgetText } from '#web/text/agents/widget.ts'
import { copyText } from '#web/ui/clipboard.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import type { MenuDivider, MenuItem } from '#web/ui/Menu.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { agentCalls, invalidateAgents } from './queries.ts'

/** Makes an agent public, or leaves it so, and copies its link. */
async function copyAgentLink(agent: AgentCard): Promise<void> {
  const link = await withToast(() => agentCalls.link(agent, PUBLIC))
  if (!link) return
  await copyText(new URL(link.url, location.origin).href)
  if (agent.visible !== PUBLIC) await invalidateAgents()
}

async function unpublish(agent: AgentCard): Promise<void> {
  await withToast(() => agentCalls.link(agent, PRIVATE), { done: agentsText.unpublished })
  await invalidateAgents()
}

/** What can be done with an agent of one's own; embedding it where that is offered. */
export function createAgentItems(
  agent: AgentCard,
  { onRemove, onEmbed }: { onRemove: () => void; onEmbed?: () => void },
): (MenuItem | MenuDivider)[] {
  const isPublic = agent.visible === PUBLIC
  return [
    {
      label: agentsText.edit,
      icon: <Pencil size={16} />,
      onSelect: () => router.visit(`/agent/${agent.uuid}/edit`),
    },
    {
      label: isPublic ? agentsText.copyLink : agentsText.publish,
      ...(isPublic ? {} : { description: agentsText.publishHint }),
      icon: <Link2 size={16} />,
      onSelect: () => void copyAgentLink(agent),
    },
    ...(isPublic
      ? [
          {
            label: agentsText.unpublish,
            icon: <Lock size={16} />,
            onSelect: () => void unpublish(agent),
          },
        ]
      : []),
    ...(onEmbed ? [{ label: widgetText.menu, icon: <AppWindow size={16} />, onSelect: onEmbed }] : []),
    'separator',
    { label: agentsText.remove, icon: <Trash2 size={16} />, danger: true, onSelect: onRemove },
  ]
}

type DeleteProps = {
  agent: AgentCard | null
  onClose: () => void
  /** The agent's own page is left when it is gone. */
  onRemoved?: () => void
}

/** Asks before an agent is deleted. */
export function DeleteAgentDialog({ agent, onClose, onRemoved }: DeleteProps) {
  const remove = async () => {
    if (!agent) return
    const removed = await withToast(
      async () => {
        await agentCalls.remove(agent.uuid)
        return true
      },
      { done: agentsText.removed },
    )
    await invalidateAgents(onRemoved ? 'none' : 'active')
    if (removed) onRemoved?.()
  }
  return (
    <ConfirmDialog
      open={agent !== null}
      onOpenChange={onClose}
      title={agentsText.removeTitle}
      description={agentsText.removeText(agent?.name ?? '')}
      confirmLabel={agentsText.remove}
      danger
      onConfirm={remove}
    />
  )
}
