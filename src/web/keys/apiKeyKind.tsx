import type { ApiKey } from '#contract/keys.ts'
import { request } from '#web/core/api.ts'
import { keysText } from '#web/text/keys.ts'
import { createKeyActions, toKeyParams } from './keyActions.ts'
import { renderApiKeyFields } from './apiKeyFields.tsx'
import { apiKeyColumns } from './apiKeyColumns.tsx'
import { withToast } from '#web/ui/withToast.ts'
import {
  toApiKeyBody,
  toApiKeyFields,
  apiKeyNumberFields,
  emptyApiKeyFields,
  type ApiKeyFields,
} from './keyFields.ts'
import type { KeyKind } from './keyKind.ts'
import { invalidateApiKeys } from './queries.ts'

/** Keys that call models. */
export const apiKeyKind: KeyKind<ApiKey, ApiKeyFields> = {
  text: keysText,
  columns: apiKeyColumns,
  emptyFields: emptyApiKeyFields,
  toFields: toApiKeyFields,
  numberFields: apiKeyNumberFields,
  renderFields: renderApiKeyFields,
  actions: createKeyActions({
    text: keysText,
    toFields: toApiKeyFields,
    toBody: toApiKeyBody,
    calls: {
      create: (body) => request('POST /api/api_keys', { body }),
      update: (one, body) => request('PUT /api/api_keys/{id}', { ...one, body }),
      setStatus: (one, status) => request('PATCH /api/api_keys/{id}/status', { ...one, body: { status } }),
      remove: (one) => request('DELETE /api/api_keys/{id}', one),
    },
    invalidate: invalidateApiKeys,
  }),
}

/** Returns the key with its new value; null when that failed, which was said. */
export async function rotateKey(key: ApiKey): Promise<ApiKey | null> {
  const rotated = await withToast(() => request('POST /api/api_keys/{id}/rotate', toKeyParams(key)), {
    failed: keysText.updateFailed,
  })
  await invalidateApiKeys()
  return rotated
}
