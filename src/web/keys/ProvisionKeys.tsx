import { useState } from 'react'
import type { ProvisionKey } from '#contract/keys.ts'
import { useUser } from '../core/user.ts'
import { KeyRoom } from './KeyRoom.tsx'
import { provisionKind } from './provisionKind.tsx'
import { ProvisionSample } from './ProvisionSample.tsx'
import { useProvisionKeys } from './queries.ts'
import { usableValue } from './usableValue.ts'

/** The provision keys of the signed-in user and everything that can be done with them. */
export function ProvisionKeys() {
  const signedIn = useUser() !== null
  const answer = useProvisionKeys(signedIn)
  const [newest, setNewest] = useState<ProvisionKey | null>(null)
  return (
    <>
      <KeyRoom
        kind={provisionKind}
        signedIn={signedIn}
        answer={answer}
        newest={newest}
        onNewest={setNewest}
      />
      {signedIn && <ProvisionSample provision_key={usableValue(newest, answer.data?.items)} />}
    </>
  )
}
