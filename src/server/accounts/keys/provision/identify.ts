import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { VisitorResolver, Visitor } from '#server/core/http.ts'
import type { Log } from '#server/core/log.ts'
import { hashToken } from '#server/core/secrets.ts'
import { createLastUseTracker } from '../authenticate-key.ts'
import { isWellFormedKey, PROVISION_KEY } from '../token.ts'
import { findProvisionKeyByToken, touchProvisionKey } from './store.ts'

/**
 * Identifies by `Authorization: Bearer pk-wq-…` when it is sent, else as `base` does. Any other Bearer token, or a disabled key,
 * never falls back to a cookie: AppError key_invalid, key_disabled.
 */
export function createBearerIdentify(db: Db, log: Log) {
  const trackUse = createLastUseTracker((id) => touchProvisionKey(db, id), log)
  const identifyProvisionKey = async (token: string): Promise<Visitor> => {
    const key = isWellFormedKey(PROVISION_KEY, token) && (await findProvisionKeyByToken(db, hashToken(token)))
    if (!key) throw new AppError('key_invalid')
    if (!key.status) throw new AppError('key_disabled')
    if (key.stale) trackUse(key.id)
    const { id: provisionKeyId, user_id, account_id } = key
    return { user_id, account_id, budgets: [], guest: false, provision_key_id: provisionKeyId }
  }
  return (base: VisitorResolver): VisitorResolver => ({
    ...base,
    resolveVisitor: async (request, headers) => {
      const authorization = /^Bearer(?: +(.*))?$/i.exec(request.headers.get('Authorization') ?? '')
      return authorization
        ? identifyProvisionKey(authorization[1] ?? '')
        : base.resolveVisitor(request, headers)
    },
  })
}
