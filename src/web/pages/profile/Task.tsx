import { ListTodo } from 'lucide-react'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { TaskList } from '#web/tasks/tasks.ts'
import { tasksText } from '#web/text/translate/tasks.ts'
import { SignInGate } from '#web/ui/SignInGate.tsx'

/** Shows the person's background tasks. */
export default function Task() {
  return (
    <AppPage title={tasksText.title}>
      <PageBody title={tasksText.title}>
        <SignInGate icon={<ListTodo size={28} />} title={tasksText.signIn} description={tasksText.signInHint}>
          {() => (
            <>
              <p className="mb-4 max-w-2xl text-ink2">{tasksText.intro}</p>
              <TaskList />
            </>
          )}
        </SignInGate>
      </PageBody>
    </AppPage>
  )
}
