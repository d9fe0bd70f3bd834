import type { ProvisionKey } from '#contract/keys.ts'
import { request } from '#web/core/api.ts'
import { provisionText } from '#web/text/keys.ts'
import { createKeyActions } from './keyActions.ts'
import {
  emptyProvisionKeyFields,
  toProvisionKeyBody,
  toProvisionKeyFields,
  provisionKeyNumberFields,
  type ProvisionKeyFields,
} from './keyFields.ts'
import type { KeyKind } from './keyKind.ts'
import { provisionKeyColumns } from './provisionKeyColumns.tsx'
import { renderProvisionKeyFields } from './provisionKeyFields.tsx'
import { invalidateProvisionKeys } from './queries.ts'

/** Keys that manage API keys by program. */
export const provisionKeyKind: KeyKind<ProvisionKey, ProvisionKeyFields> = {
  text: provisionText,
  columns: provisionKeyColumns,
  emptyFields: emptyProvisionKeyFields,
  toFields: toProvisionKeyFields,
  numberFields: provisionKeyNumberFields,
  renderFields: renderProvisionKeyFields,
  actions: createKeyActions({
    text: provisionText,
    toFields: toProvisionKeyFields,
    toBody: toProvisionKeyBody,
    calls: {
      create: (body) => request('POST /api/provision_keys', { body }),
      update: (one, body) => request('PUT /api/provision_keys/{id}', { ...one, body }),
      setStatus: (one, status) =>
        request('PATCH /api/provision_keys/{id}/status', { ...one, body: { status } }),
      remove: (one) => request('DELETE /api/provision_keys/{id}', one),
    },
    invalidate: invalidateProvisionKeys,
  }),
}
