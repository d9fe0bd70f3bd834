import { router } from '@inertiajs/react'
import { AppWindow, Building2, Link2, Lock, Pencil, Trash2 } from 'lucide-react'
import { PRIVATE, PUBLIC, SHARED } from '#contract/agents/agent-defaults.ts'
import type { AgentCard } from '#contract/agents/agents.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { widgetText } from '#web/text/agents/widget.ts'
import { copyLink } from '#web/ui/copyLink.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import type { MenuDivider, MenuItem } from '#web/ui/Menu.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { agentCalls, invalidateAgents } from './queries.ts'

/** Makes an agent public if it is not, and copies its link. */
async function copyAgentLink(agent: AgentCard): Promise<void> {
  const link = await withToast(() => agentCalls.link(agent, PUBLIC))
  if (!link) return
  await copyLink(new URL(link.url, location.origin).href)
  if (agent.visible !== PUBLIC) await invalidateAgents()
}

async function setVisible(agent: AgentCard, visible: 0 | 1, doneText: string): Promise<void> {
  await withToast(() => agentCalls.link(agent, visible), { done: doneText })
  await invalidateAgents()
}

/** Menu items for an agent of one's own; sharing with the organization and embedding only where they are offered. */
export function createAgentItems(
  agent: AgentCard,
  {
    onRemove,
    onEmbed,
    organization,
  }: { onRemove: () => void; onEmbed?: () => void; organization?: string | undefined },
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
    ...(organization !== undefined && agent.visible !== SHARED
      ? [
          {
            label: agentsText.share,
            description: agentsText.shareHint(organization),
            icon: <Building2 size={16} />,
            onSelect: () => void setVisible(agent, SHARED, agentsText.sharedDone),
          },
        ]
      : []),
    ...(agent.visible === PRIVATE
      ? []
      : [
          {
            label: agentsText.unpublish,
            icon: <Lock size={16} />,
            onSelect: () => void setVisible(agent, PRIVATE, agentsText.unpublished),
          },
        ]),
    ...(onEmbed ? [{ label: widgetText.menu, icon: <AppWindow size={16} />, onSelect: onEmbed }] : []),
    'separator',
    { label: agentsText.remove, icon: <Trash2 size={16} />, danger: true, onSelect: onRemove },
  ]
}

type DeleteProps = {
  agent: AgentCard | null
  onClose: () => void
  /** Called after the deletion: the agent's own page has to be left. */
  onRemoved?: () => void
}

export function DeleteAgentDialog({ agent, onClose, onRemoved }: DeleteProps) {
  const remove = async () => {
    if (!agent) return
    const isRemoved = await withToast(
      async () => {
        await agentCalls.remove(agent.uuid)
        return true
      },
      { done: agentsText.removed },
    )
    await invalidateAgents(onRemoved ? 'none' : 'active')
    if (isRemoved) onRemoved?.()
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
