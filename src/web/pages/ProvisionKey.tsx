import { KeysHeader } from '../keys/KeysHeader.tsx'
import { ProvisionKeys } from '../keys/ProvisionKeys.tsx'
import { PageBody } from '../models/PageBody.tsx'
import { Shell } from '../shell/Shell.tsx'
import { provisionText } from '../text/keys.ts'

export default function ProvisionKey() {
  return (
    <Shell title={provisionText.title} header={<KeysHeader title={provisionText.title} />}>
      <PageBody>
        <ProvisionKeys />
      </PageBody>
    </Shell>
  )
}
