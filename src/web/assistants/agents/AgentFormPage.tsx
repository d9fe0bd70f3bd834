import { Link } from '@inertiajs/react'
import { FileX } from 'lucide-react'
import type { UserInfo } from '#contract/users.ts'
import { isUnknownId } from '#web/core/api.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { agentFormText as text } from '#web/text/agents/form.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { MissingState } from '#web/ui/SignInGate.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { RenderChat } from './AgentChat.tsx'
import { AgentEditor, type RenderPage } from './AgentEditor.tsx'
import { useDraft } from './queries.ts'

type Props = {
  /** Null for a new agent. */
  id: string | null
  user: UserInfo
  renderChat: RenderChat
  renderPage: RenderPage
}

/** Creates or edits an agent, going on with a draft that was left unfinished. */
export function AgentFormPage({ id, user, renderChat, renderPage }: Props) {
  const query = useDraft(id)
  if (query.data) return <AgentEditor {...{ user, renderChat, renderPage }} draft={query.data} />
  return renderPage({
    title: text.createTitle,
    children: isUnknownId(query.error) ? (
      <GoneAgent />
    ) : (
      <QueryView query={query} failed={agentsText.loadFailed} skeleton={<EditorSkeleton />}>
        {() => null}
      </QueryView>
    ),
  })
}

export const GoneAgent = () => (
  <MissingState
    icon={<FileX size={28} />}
    title={agentsText.gone}
    description={agentsText.goneHint}
    signInHint={agentsText.signInToSeeHint}
    action={
      <Link href="/agents" className={buttonClass()}>
        {agentsText.back}
      </Link>
    }
  />
)

const EditorSkeleton = () => (
  <div className="mx-auto flex w-full max-w-2xl flex-col gap-4 px-4 py-8 md:px-7">
    {['h-40 w-full', 'h-10 w-full', 'h-20 w-full', 'h-10 w-2/3'].map((size) => (
      <Skeleton key={size} className={size} />
    ))}
  </div>
)
