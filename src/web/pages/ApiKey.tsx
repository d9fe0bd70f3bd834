import { ApiKeys } from '../keys/ApiKeys.tsx'
import { KeysHeader } from '../keys/KeysHeader.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { keysText } from '../text/keys.ts'

export default function ApiKey() {
  return (
    <AppPage title={keysText.title} header={<KeysHeader title={keysText.title} />}>
      <PageBody>
        <ApiKeys />
      </PageBody>
    </AppPage>
  )
}
