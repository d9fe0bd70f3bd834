import { Link } from '@inertiajs/react'
import { Pencil } from 'lucide-react'
import { createDefaultWelcome } from '#contract/agents/agent-defaults.ts'
import type { AgentCard } from '#contract/agents/agents.ts'
import { useUser } from '#web/core/user.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { QueryView } from '#web/ui/QueryView.tsx'
import { SignInLink } from '#web/ui/SignInGate.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { AgentChat, type RenderChat } from './AgentChat.tsx'
import type { RenderPage } from './AgentEditor.tsx'
import { GoneAgent, isGone } from './AgentFormPage.tsx'
import { AgentLogo } from './AgentLogo.tsx'
import { AgentOpening } from './AgentOpening.tsx'
import { useAgent } from './queries.ts'

type Props = { id: string; renderChat: RenderChat; renderPage: RenderPage }

/** The conversation with an agent; others than signed-in people see what it is, and are asked to sign in. */
export function AgentChatPage({ id, renderChat, renderPage }: Props) {
  const query = useAgent(id)
  const isSignedIn = useUser() !== null
  const { data } = query
  return renderPage({
    title: data?.name ?? agentsText.title,
    header: data && <AgentHeader agent={data} />,
    children: isGone(query.error) ? (
      <GoneAgent />
    ) : (
      <QueryView
        query={query}
        failed={agentsText.loadFailed}
        skeleton={<Skeleton className="m-6 h-4 w-48" />}
      >
        {(agent) => (
          <section
            aria-label={agent.name}
            className="mx-auto flex min-h-0 w-full max-w-[53rem] flex-1 flex-col"
          >
            {isSignedIn ? (
              <AgentChat
                uuid={agent.uuid}
                renderChat={renderChat}
                heading={null}
                renderEmpty={(ask) => <AgentOpening agent={toOpening(agent)} onChoose={ask} />}
              />
            ) : (
              <>
                <AgentOpening agent={{ ...toOpening(agent), prompts: [] }} note={agentsText.signInToAsk} />
                <SignInLink variant="primary" className="m-4 self-start" />
              </>
            )}
          </section>
        )}
      </QueryView>
    ),
  })
}

const toOpening = ({ name, logo, settings: { chat } }: AgentCard) => ({
  name,
  logo,
  welcome: chat.welcome_prompt || createDefaultWelcome({ name }),
  prompts: chat.suggest_prompts,
})

function AgentHeader({ agent: { uuid, name, logo, desc, owned } }: { agent: AgentCard }) {
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3">
      <AgentLogo name={name} logo={logo} size="sm" />
      <div className="min-w-0 flex-1">
        <h1 className="truncate leading-5 font-semibold">{name}</h1>
        <p className="truncate text-xs leading-4.5 text-ink3 empty:hidden">{desc}</p>
      </div>
      {owned && (
        <Link
          href={`/agent/${uuid}/edit`}
          aria-label={agentsText.edit}
          data-tooltip={agentsText.edit}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-ink2 transition-colors hover:bg-fill hover:text-ink max-md:size-11"
        >
          <Pencil size={17} aria-hidden />
        </Link>
      )}
    </div>
  )
}
