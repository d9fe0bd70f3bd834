import { BarChart3, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey } from '#contract/keys.ts'
import { useUser } from '../core/user.ts'
import { keysText } from '../text/keys.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ApiSamples } from './ApiSamples.tsx'
import { apiKind, rotateKey } from './apiKind.tsx'
import { KeyRoom } from './KeyRoom.tsx'
import { useApiKeys } from './queries.ts'
import { usableValue } from './usableValue.ts'
import { KeyUsage } from './usage/KeyUsage.tsx'

/** The API keys of the signed-in user and everything that can be done with them. */
export function ApiKeys() {
  const user = useUser()
  const answer = useApiKeys(user !== null)
  const [newest, setNewest] = useState<ApiKey | null>(null)
  const [used, setUsed] = useState<ApiKey | null>(null)
  const [rotated, setRotated] = useState<ApiKey | null>(null)
  return (
    <>
      <KeyRoom
        kind={apiKind}
        signedIn={user !== null}
        answer={answer}
        newest={newest}
        onNewest={setNewest}
        more={(key) => [
          { label: keysText.usage, icon: <BarChart3 size={16} />, onSelect: () => setUsed(key) },
          {
            label: keysText.rotate,
            description: keysText.rotateHint,
            icon: <RefreshCw size={16} />,
            onSelect: () => setRotated(key),
          },
        ]}
      />
      {user && <ApiSamples model={user.model} api_key={usableValue(newest, answer.data?.items)} />}
      <Dialog
        open={used !== null}
        onOpenChange={() => setUsed(null)}
        title={keysText.usageTitle(used?.name ?? '')}
      >
        {used && <KeyUsage id={used.uuid} />}
      </Dialog>
      <ConfirmDialog
        open={rotated !== null}
        onOpenChange={() => setRotated(null)}
        title={keysText.rotateTitle}
        description={keysText.rotateText(rotated?.name ?? '')}
        confirmLabel={keysText.rotate}
        danger
        onConfirm={async () => {
          const key = rotated && (await rotateKey(rotated))
          if (key) setNewest(key)
        }}
      />
    </>
  )
}
