import { Link } from '@inertiajs/react'
import { Plus } from 'lucide-react'
import { AgentDirectory } from '#web/assistants/agents/AgentDirectory.tsx'
import { useUser } from '#web/core/user.ts'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { agentsText } from '#web/text/agents/agents.ts'
import { buttonClass } from '#web/ui/Button.tsx'

/** Shows all agents that the person may ask. */
export default function AgentList() {
  const isSignedIn = useUser() !== null
  const actions = isSignedIn && (
    <Link href="/agent/create" className={buttonClass()}>
      <Plus size={16} aria-hidden />
      {agentsText.create}
    </Link>
  )
  return (
    <AppPage title={agentsText.title}>
      <PageBody title={agentsText.title} actions={actions}>
        <AgentDirectory />
      </PageBody>
    </AppPage>
  )
}
