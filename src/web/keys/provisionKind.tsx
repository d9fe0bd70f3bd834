import type { ProvisionKey } from '#contract/keys.ts'
import { request } from '../core/api.ts'
import { provisionText } from '../text/keys.ts'
import { actionsOf } from './actions.ts'
import {
  newProvisionFields,
  provisionBody,
  provisionFieldsOf,
  provisionNumbers,
  type ProvisionFields,
} from './fields.ts'
import type { Kind } from './kind.ts'
import { provisionColumns } from './provisionColumns.tsx'
import { provisionControls } from './provisionControls.tsx'
import { reloadProvisionKeys } from './queries.ts'

/** Keys that manage API keys by program. */
export const provisionKind: Kind<ProvisionKey, ProvisionFields> = {
  text: provisionText,
  columns: provisionColumns,
  blank: newProvisionFields,
  fieldsOf: provisionFieldsOf,
  numbers: provisionNumbers,
  controls: provisionControls,
  actions: actionsOf({
    text: provisionText,
    fieldsOf: provisionFieldsOf,
    bodyOf: provisionBody,
    calls: {
      create: (body) => request('POST /api/provision_keys', { body }),
      update: (one, body) => request('PUT /api/provision_keys/{id}', { ...one, body }),
      setStatus: (one, status) =>
        request('PATCH /api/provision_keys/{id}/status', { ...one, body: { status } }),
      remove: (one) => request('DELETE /api/provision_keys/{id}', one),
    },
    reload: reloadProvisionKeys,
  }),
}
