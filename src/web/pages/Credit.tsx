import { CreditPlans } from '#web/commerce/credit/credit.ts'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { creditText } from '#web/text/credit/credit.ts'

/** Shows the plans, and takes payments. */
export default function Credit() {
  return (
    <AppPage title={creditText.title}>
      <PageBody title={creditText.title}>
        <CreditPlans />
      </PageBody>
    </AppPage>
  )
}
