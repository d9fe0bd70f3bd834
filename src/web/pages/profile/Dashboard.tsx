import { LayoutDashboard } from 'lucide-react'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { Dashboard as DashboardOf } from '#web/commerce/statistics/statistics.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { SignInGate } from '#web/ui/SignInGate.tsx'

/** Shows the person's use today and this week. */
export default function Dashboard() {
  return (
    <AppPage title={statisticsText.dashboard}>
      <PageBody title={statisticsText.dashboard}>
        <SignInGate
          icon={<LayoutDashboard size={28} />}
          title={statisticsText.signIn}
          description={statisticsText.signInHint}
        >
          {(user) => <DashboardOf user={user} />}
        </SignInGate>
      </PageBody>
    </AppPage>
  )
}
