import { Bot } from 'lucide-react'
import type { PageProps } from '#contract/pages.ts'
import { AgentFormPage } from '#web/assistants/agents/AgentFormPage.tsx'
import { useUser } from '#web/core/user.ts'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { agentFormText } from '#web/text/agents/form.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { SignInGate } from '#web/ui/SignInGate.tsx'

// From the chat's own chunk: a second chunk with the same parts would split it, and make the chat's first load larger.
const SideChat = lazyComponent(async () => ({ default: (await import('./Chat.tsx')).SideChat }))

/** Creates an agent; with `id`, edits it. */
export default function AgentForm({ id }: PageProps<'AgentForm'>) {
  const user = useUser()
  if (user)
    return (
      <AgentFormPage
        key={id}
        id={id}
        user={user}
        renderChat={(props, key) => <SideChat key={key} {...props} />}
        renderPage={(page) => <AppPage {...page} />}
      />
    )
  return (
    <AppPage title={agentFormText.createTitle}>
      <PageBody title={agentFormText.createTitle}>
        <SignInGate
          icon={<Bot size={28} />}
          title={agentFormText.signIn}
          description={agentFormText.signInHint}
        >
          {() => null}
        </SignInGate>
      </PageBody>
    </AppPage>
  )
}
