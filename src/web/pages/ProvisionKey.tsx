import { Link } from '@inertiajs/react'
import { ProvisionKeys } from '../keys/ProvisionKeys.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { keysText, provisionText } from '../text/keys.ts'
import { buttonClass } from '../ui/Button.tsx'

export default function ProvisionKey() {
  const header = (
    <>
      <h1 className="mr-auto px-2 text-reading font-medium">{provisionText.title}</h1>
      <Link href="/profile/api-keys" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
        {keysText.title}
      </Link>
    </>
  )
  return (
    <AppPage title={provisionText.title} header={header}>
      <PageBody>
        <ProvisionKeys />
      </PageBody>
    </AppPage>
  )
}
