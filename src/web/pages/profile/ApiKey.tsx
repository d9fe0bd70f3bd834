import { Link } from '@inertiajs/react'
import { ApiKeys } from '#web/accounts/keys/ApiKeys.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { keysText, provisionText } from '#web/text/keys.ts'
import { buttonClass } from '#web/ui/Button.tsx'

export default function ApiKey() {
  const actions = (
    <Link href="/profile/provision-keys" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
      {provisionText.title}
    </Link>
  )
  return (
    <AppPage title={keysText.title}>
      <PageBody title={keysText.title} actions={actions}>
        <ApiKeys />
      </PageBody>
    </AppPage>
  )
}
