import { BarChart3, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey } from '#contract/keys.ts'
import { useUser } from '../core/user.ts'
import { keysText } from '../text/keys.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ApiKeySamples } from './ApiKeySamples.tsx'
import { apiKeyKind, rotateKey } from './apiKeyKind.tsx'
import { KeyManager } from './KeyManagement.tsx'
import { useApiKeys } from './queries.ts'
import { getUsableKeyValue } from './usableKeyValue.ts'
import { KeyUsage } from './usage/KeyUsage.tsx'

/** The API keys of the signed-in user and everything that can be done with them. */
export function ApiKeys() {
  const user = useUser()
  const query = useApiKeys(user !== null)
  const [newest, setNewest] = useState<ApiKey | null>(null)
  const [usageKey, setUsageKey] = useState<ApiKey | null>(null)
  const [rotatedKey, setRotatedKey] = useState<ApiKey | null>(null)
  return (
    <>
      <KeyManager
        kind={apiKeyKind}
        signedIn={user !== null}
        query={query}
        newest={newest}
        onNewest={setNewest}
        extraItems={(key) => [
          { label: keysText.usage, icon: <BarChart3 size={16} />, onSelect: () => setUsageKey(key) },
          {
            label: keysText.rotate,
            description: keysText.rotateHint,
            icon: <RefreshCw size={16} />,
            onSelect: () => setRotatedKey(key),
          },
        ]}
      />
      {user && <ApiKeySamples model={user.model} api_key={getUsableKeyValue(newest, query.data?.items)} />}
      <Dialog
        open={usageKey !== null}
        onOpenChange={() => setUsageKey(null)}
        title={keysText.usageTitle(usageKey?.name ?? '')}
      >
        {usageKey && <KeyUsage id={usageKey.uuid} />}
      </Dialog>
      <ConfirmDialog
        open={rotatedKey !== null}
        onOpenChange={() => setRotatedKey(null)}
        title={keysText.rotateTitle}
        description={keysText.rotateText(rotatedKey?.name ?? '')}
        confirmLabel={keysText.rotate}
        danger
        onConfirm={async () => {
          const key = rotatedKey && (await rotateKey(rotatedKey))
          if (key) setNewest(key)
        }}
      />
    </>
  )
}
