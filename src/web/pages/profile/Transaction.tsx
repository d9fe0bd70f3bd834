import { ReceiptText } from 'lucide-react'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { Transactions } from '#web/commerce/statistics/statistics.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { SignInGate } from '#web/ui/SignInGate.tsx'

/** Shows everything that came in and went out. */
export default function Transaction() {
  return (
    <AppPage title={statisticsText.transactions}>
      <PageBody title={statisticsText.transactions}>
        <SignInGate
          icon={<ReceiptText size={28} />}
          title={statisticsText.signIn}
          description={statisticsText.signInHint}
        >
          {() => <Transactions />}
        </SignInGate>
      </PageBody>
    </AppPage>
  )
}
