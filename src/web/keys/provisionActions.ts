import type { ProvisionKey } from '#contract/keys.ts'
import { request } from '../core/api.ts'
import { keysText, provisionText } from '../text/keys.ts'
import { toast } from '../ui/toast.ts'
import { attempt } from './attempt.ts'
import { changed, provisionBody, provisionFieldsOf, type ProvisionFields } from './fields.ts'
import { reloadProvisionKeys } from './queries.ts'

const at = ({ uuid }: ProvisionKey) => ({ params: { id: uuid } })

/** Returns the new key's whole value. Throws ApiError. */
export async function createProvisionKey(fields: ProvisionFields): Promise<string | null> {
  const { raw_value } = await request('POST /api/provision_keys', { body: provisionBody(fields) })
  await reloadProvisionKeys()
  return raw_value
}

/** Saves what was changed. Throws ApiError. */
export async function saveProvisionKey(key: ProvisionKey, fields: ProvisionFields): Promise<void> {
  const body = changed(provisionBody(provisionFieldsOf(key)), provisionBody(fields))
  await request('PUT /api/provision_keys/{id}', { ...at(key), body })
  await reloadProvisionKeys()
  toast.success(keysText.saved)
}

export async function toggleProvisionKey(key: ProvisionKey): Promise<void> {
  const status = !key.status
  await attempt(() => request('PATCH /api/provision_keys/{id}/status', { ...at(key), body: { status } }), {
    done: status ? keysText.enabled : keysText.disabled,
    failed: provisionText.updateFailed,
  })
  await reloadProvisionKeys()
}

export async function removeProvisionKey(key: ProvisionKey): Promise<void> {
  await attempt(() => request('DELETE /api/provision_keys/{id}', at(key)), {
    done: keysText.removed,
    failed: provisionText.removeFailed,
  })
  await reloadProvisionKeys()
}
