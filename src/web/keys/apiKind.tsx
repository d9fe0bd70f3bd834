import type { ApiKey } from '#contract/keys.ts'
import { request } from '../core/api.ts'
import { keysText } from '../text/keys.ts'
import { actionsOf, at } from './actions.ts'
import { apiControls } from './apiControls.tsx'
import { apiKeyColumns } from './apiKeyColumns.tsx'
import { attempt } from './attempt.ts'
import { keyBody, keyFieldsOf, keyNumbers, newKeyFields, type KeyFields } from './fields.ts'
import type { Kind } from './kind.ts'
import { reloadApiKeys } from './queries.ts'

/** Keys that call models. */
export const apiKind: Kind<ApiKey, KeyFields> = {
  text: keysText,
  columns: apiKeyColumns,
  blank: newKeyFields,
  fieldsOf: keyFieldsOf,
  numbers: keyNumbers,
  controls: apiControls,
  actions: actionsOf({
    text: keysText,
    fieldsOf: keyFieldsOf,
    bodyOf: keyBody,
    calls: {
      create: (body) => request('POST /api/api_keys', { body }),
      update: (one, body) => request('PUT /api/api_keys/{id}', { ...one, body }),
      setStatus: (one, status) => request('PATCH /api/api_keys/{id}/status', { ...one, body: { status } }),
      remove: (one) => request('DELETE /api/api_keys/{id}', one),
    },
    reload: reloadApiKeys,
  }),
}

/** Returns the key with its new value; null when that failed, which was said. */
export async function rotateKey(key: ApiKey): Promise<ApiKey | null> {
  const rotated = await attempt(() => request('POST /api/api_keys/{id}/rotate', at(key)), {
    failed: keysText.updateFailed,
  })
  await reloadApiKeys()
  return rotated
}
