import type { keyCalls, provisionKeyCalls } from '#contract/keys.ts'
import { MAX_KEYS_PER_USER } from '#contract/key-groups.ts'
import type { Handlers } from '#server/core/http.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import type { Keys } from './keys.ts'

/** Puts all keys of an owner on one page of the list envelope. */
const toSinglePage = <T>(items: T[], url: string) =>
  toPageResponse(items, { total: items.length, page: 1, size: MAX_KEYS_PER_USER, url, query: {} })

export const keyRoutes = ({ api, getBalance, getTransaction }: Keys): Handlers<typeof keyCalls> => ({
  'GET /api/api_keys': async (_, { visitor }) => toSinglePage(await api.list(visitor), '/api/api_keys'),
  'POST /api/api_keys': ({ body }, { visitor }) => api.create(visitor, body),
  'PUT /api/api_keys/{id}': ({ params, body }, { visitor }) => api.update(visitor, params.id, body),
  'PATCH /api/api_keys/{id}/status': ({ params, body }, { visitor }) =>
    api.setStatus(visitor, params.id, body.status),
  'POST /api/api_keys/{id}/rotate': ({ params }, { visitor }) => api.rotate(visitor, params.id),
  'DELETE /api/api_keys/{id}': async ({ params }, { visitor }) => {
    await api.remove(visitor, params.id)
    return undefined
  },
  'GET /api/api_keys/{id}/usage': ({ params }, { visitor }) => api.getUsage(visitor, params.id),
  'GET /api/credit/balance': async (_, { visitor }) => ({ balance: await getBalance(visitor.user_id) }),
  'GET /api/chat/transaction/{uuid}': ({ params }, { visitor }) =>
    getTransaction(visitor.user_id, params.uuid),
})

export const provisionKeyRoutes = ({ provision }: Keys): Handlers<typeof provisionKeyCalls> => ({
  'GET /api/provision_keys': async (_, { visitor }) =>
    toSinglePage(await provision.list(visitor.user_id), '/api/provision_keys'),
  'POST /api/provision_keys': ({ body }, { visitor }) => provision.create(visitor.user_id, body),
  'PUT /api/provision_keys/{id}': ({ params: { id }, body }, { visitor: { user_id } }) =>
    provision.update({ user_id, id }, body),
  'PATCH /api/provision_keys/{id}/status': ({ params: { id }, body }, { visitor: { user_id } }) =>
    provision.setStatus({ user_id, id }, body.status),
  'DELETE /api/provision_keys/{id}': async ({ params: { id } }, { visitor: { user_id } }) => {
    await provision.remove({ user_id, id })
    return undefined
  },
})
