import type { ApiKey } from '#contract/keys.ts'
import { request } from '../core/api.ts'
import { keysText } from '../text/keys.ts'
import { toast } from '../ui/toast.ts'
import { attempt } from './attempt.ts'
import { changed, keyBody, keyFieldsOf, type KeyFields } from './fields.ts'
import { reloadApiKeys } from './queries.ts'

const at = ({ uuid }: ApiKey) => ({ params: { id: uuid } })

/** Returns the new key's whole value. Throws ApiError. */
export async function createKey(fields: KeyFields): Promise<string | null> {
  const { raw_value } = await request('POST /api/api_keys', { body: keyBody(fields) })
  await reloadApiKeys()
  return raw_value
}

/** Saves what was changed. Throws ApiError. */
export async function saveKey(key: ApiKey, fields: KeyFields): Promise<void> {
  const body = changed(keyBody(keyFieldsOf(key)), keyBody(fields))
  await request('PUT /api/api_keys/{id}', { ...at(key), body })
  await reloadApiKeys()
  toast.success(keysText.saved)
}

export async function toggleKey(key: ApiKey): Promise<void> {
  const status = !key.status
  await attempt(() => request('PATCH /api/api_keys/{id}/status', { ...at(key), body: { status } }), {
    done: status ? keysText.enabled : keysText.disabled,
    failed: keysText.updateFailed,
  })
  await reloadApiKeys()
}

/** Returns the key's new value; null when that failed, which was said. */
export async function rotateKey(key: ApiKey): Promise<string | null> {
  const rotated = await attempt(() => request('POST /api/api_keys/{id}/rotate', at(key)), {
    failed: keysText.updateFailed,
  })
  await reloadApiKeys()
  return rotated?.raw_value ?? null
}

export async function removeKey(key: ApiKey): Promise<void> {
  await attempt(() => request('DELETE /api/api_keys/{id}', at(key)), {
    done: keysText.removed,
    failed: keysText.removeFailed,
  })
  await reloadApiKeys()
}
