import { Link } from '@inertiajs/react'
import { Lock, MoreHorizontal } from 'lucide-react'
import { PRIVATE, PUBLIC, SHARED } from '#contract/agents/agent-defaults.ts'
import type { AgentCard } from '#contract/agents/agents.ts'
import { formatCount } from '#web/core/numberFormat.ts'
import { useUser } from '#web/core/user.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { AgentLogo } from './AgentLogo.tsx'
import { createAgentItems } from './agentActions.tsx'

const visibleNames = {
  [PRIVATE]: agentsText.private,
  [SHARED]: agentsText.shared,
  [PUBLIC]: agentsText.public,
}

type Props = { agent: AgentCard; onRemove: () => void }

/** An agent in the list; the whole tile links to a conversation with it. */
export function AgentTile({ agent, onRemove }: Props) {
  const { uuid, name, logo, desc, visible, owned, owner, uses } = agent
  const organization = useUser()?.organization?.name
  return (
    <li className="relative flex flex-col rounded-2xl border p-4 transition-colors hover:border-line2 hover:bg-fill/50">
      <div className="flex items-start gap-3">
        <AgentLogo name={name} logo={logo} />
        <div className="min-w-0 flex-1 self-center">
          {/* The whole card leads there; the menu lies above it. */}
          <Link
            href={`/chat/agent/${uuid}`}
            title={name}
            className="block truncate text-reading font-medium after:absolute after:inset-0 after:rounded-[inherit]"
          >
            {name}
          </Link>
        </div>
        {owned && (
          <div className="relative -mt-1 -mr-1.5">
            <Menu
              placement="bottom-end"
              items={createAgentItems(agent, { onRemove, organization })}
              trigger={(trigger) => (
                <IconButton {...trigger} size="sm" label={agentsText.menu(name)}>
                  <MoreHorizontal size={17} aria-hidden />
                </IconButton>
              )}
            />
          </div>
        )}
      </div>
      <p className="mt-2.5 mb-3 line-clamp-2 min-h-10 text-note leading-5 text-ink2">{desc}</p>
      <p className="mt-auto flex min-h-6.5 items-center gap-2 text-xs text-ink3 tabular-nums">
        {owned ? (
          <Badge tone={visible === PRIVATE ? 'neutral' : 'accent'}>
            <span className="inline-flex items-center gap-1">
              {visible === PRIVATE && <Lock size={11} aria-hidden />}
              {visibleNames[visible]}
            </span>
          </Badge>
        ) : (
          <>
            {visible === SHARED && <Badge tone="accent">{agentsText.shared}</Badge>}
            <span className="truncate">{owner.name}</span>
          </>
        )}
        <span className="ml-auto shrink-0">{agentsText.uses(formatCount(uses))}</span>
      </p>
    </li>
  )
}
