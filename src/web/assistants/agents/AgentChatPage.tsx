import { router } from '@inertiajs/react'
import { useMemo } from 'react'
import { createDefaultWelcome } from '#contract/agents/agent-defaults.ts'
import type { AgentCard } from '#contract/agents/agents.ts'
import { isUnknownId } from '#web/core/api.ts'
import { usePageUrl } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { QueryView } from '#web/ui/QueryView.tsx'
import { SignInLink } from '#web/ui/SignInGate.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { PassageLinks, type RenderChat } from './AgentChat.tsx'
import type { RenderPage } from './AgentEditor.tsx'
import { GoneAgent } from './AgentFormPage.tsx'
import { AgentHeader } from './AgentHeader.tsx'
import { AgentOpening } from './AgentOpening.tsx'
import { toChatbot, useAgent } from './queries.ts'

// Exported here because it is made of the same things: a chunk of its own would be named in every page's first load, together
// with everything that the two share.
export { WidgetPage } from './widget/WidgetPage.tsx'

type Props = { id: string; renderChat: RenderChat; renderPage: RenderPage }

/**
 * A conversation with an agent: the one that `?sess_id=` names, else a new one. Guests see the agent's description and are asked
 * to sign in.
 */
export function AgentChatPage({ id, renderChat, renderPage }: Props) {
  const query = useAgent(id)
  const isSignedIn = useUser() !== null
  const sessId = usePageUrl().searchParams.get('sess_id')
  const { data } = query
  return renderPage({
    title: data?.name ?? agentsText.title,
    header: data && <AgentHeader agent={data} sess_id={sessId} />,
    children: isUnknownId(query.error) ? (
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
              <AgentConversation {...{ agent, sess_id: sessId, renderChat }} />
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

type ConversationProps = { agent: AgentCard; sess_id: string | null; renderChat: RenderChat }

function AgentConversation({ agent, sess_id, renderChat }: ConversationProps) {
  const { uuid } = agent
  const navigation = useMemo(() => createNavigation(`/chat/agent/${uuid}`), [uuid])
  return (
    <PassageLinks>
      {renderChat(
        {
          chatbot: toChatbot(uuid),
          sess_id,
          heading: null,
          renderEmpty: (ask) => <AgentOpening agent={toOpening(agent)} onChoose={ask} />,
          ...navigation,
        },
        0,
      )}
    </PassageLinks>
  )
}

/** Callbacks that keep the address in step with the conversation on this path, without loading the page again. */
function createNavigation(path: string) {
  const show = (sessId: string) => ({
    url: `${path}?sess_id=${sessId}`,
    preserveState: true,
    preserveScroll: true,
  })
  return {
    /** Does nothing if the person has gone to another page meanwhile. */
    onSession: (sessId: string): void => {
      const { pathname, search } = location
      if (pathname === path && !new URLSearchParams(search).has('sess_id')) router.replace(show(sessId))
    },
    onFork: (sessId: string): void => router.push(show(sessId)),
    onNew: (): void => router.visit(path),
  }
}
