import { Building2 } from 'lucide-react'
import { Organization as OrganizationOf } from '#web/accounts/organizations/organizations.ts'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { organizationText as text } from '#web/text/account/organization.ts'
import { SignInGate } from '#web/ui/SignInGate.tsx'

export default function Organization() {
  return (
    <AppPage title={text.title}>
      <PageBody title={text.title}>
        <SignInGate icon={<Building2 size={28} />} title={text.signIn} description={text.signInHint}>
          {(user) => <OrganizationOf user={user} />}
        </SignInGate>
      </PageBody>
    </AppPage>
  )
}
