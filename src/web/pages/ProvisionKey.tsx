import { KeysHeader } from '../keys/KeysHeader.tsx'
import { ProvisionKeys } from '../keys/ProvisionKeys.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { provisionText } from '../text/keys.ts'

export default function ProvisionKey() {
  return (
    <AppPage title={provisionText.title} header={<KeysHeader title={provisionText.title} />}>
      <PageBody>
        <ProvisionKeys />
      </PageBody>
    </AppPage>
  )
}
