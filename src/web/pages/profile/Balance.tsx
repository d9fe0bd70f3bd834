import { Wallet } from 'lucide-react'
import { NotifySetting } from '#web/commerce/credit/credit.ts'
import { PayerSwitch } from '#web/accounts/organizations/organizations.ts'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { Balance as BalanceOf } from '#web/commerce/statistics/statistics.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { SignInGate } from '#web/ui/SignInGate.tsx'

export default function Balance() {
  return (
    <AppPage title={statisticsText.balance}>
      <PageBody title={statisticsText.balance}>
        <SignInGate
          icon={<Wallet size={28} />}
          title={statisticsText.signIn}
          description={statisticsText.signInHint}
        >
          {(user) => (
            <>
              <BalanceOf user={user} />
              {user.organization && (
                <div className="mt-6">
                  <PayerSwitch organization={user.organization} />
                </div>
              )}
              <NotifySetting />
            </>
          )}
        </SignInGate>
      </PageBody>
    </AppPage>
  )
}
