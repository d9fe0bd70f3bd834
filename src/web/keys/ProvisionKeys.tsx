import { useState } from 'react'
import type { ProvisionKey } from '#contract/keys.ts'
import { useUser } from '../core/user.ts'
import { KeyManager } from './KeyManagement.tsx'
import { provisionKeyKind } from './provisionKeyKind.tsx'
import { ProvisionKeySample } from './ProvisionKeySample.tsx'
import { useProvisionKeys } from './queries.ts'
import { getUsableKeyValue } from './usableKeyValue.ts'

/** The provision keys of the signed-in user and everything that can be done with them. */
export function ProvisionKeys() {
  const signedIn = useUser() !== null
  const query = useProvisionKeys(signedIn)
  const [newest, setNewest] = useState<ProvisionKey | null>(null)
  return (
    <>
      <KeyManager
        kind={provisionKeyKind}
        signedIn={signedIn}
        query={query}
        newest={newest}
        onNewest={setNewest}
      />
      {signedIn && <ProvisionKeySample provision_key={getUsableKeyValue(newest, query.data?.items)} />}
    </>
  )
}
