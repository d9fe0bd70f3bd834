import { ApiKeys } from '../keys/ApiKeys.tsx'
import { KeysHeader } from '../keys/KeysHeader.tsx'
import { PageBody } from '../models/PageBody.tsx'
import { Shell } from '../shell/Shell.tsx'
import { keysText } from '../text/keys.ts'

export default function ApiKey() {
  return (
    <Shell title={keysText.title} header={<KeysHeader title={keysText.title} />}>
      <PageBody>
        <ApiKeys />
      </PageBody>
    </Shell>
  )
}
