import { AppError } from '../../core/app-error.ts'
import type { Db } from '../../core/database.ts'
import type { Identify, Visitor } from '../../core/http.ts'
import type { Log } from '../../core/log.ts'
import { tokenHash } from '../../core/secrets.ts'
import { openLastUse } from '../authenticate.ts'
import { isWellFormed, PROVISION_KEY } from '../token.ts'
import { provisionKeyByToken, touchProvisionKey } from './store.ts'

/**
 * Identifies by `Authorization: Bearer pk-wq-…` where there is one, else as `base` does. A Bearer token that is no
 * provision key, and one that is disabled, never falls back to a cookie: AppError key_invalid, key_disabled.
 */
export function openBearer(db: Db, log: Log) {
  const use = openLastUse((id) => touchProvisionKey(db, id), log)
  const bearer = async (token: string): Promise<Visitor> => {
    const key = isWellFormed(PROVISION_KEY, token) && (await provisionKeyByToken(db, tokenHash(token)))
    if (!key) throw new AppError('key_invalid')
    if (!key.status) throw new AppError('key_disabled')
    if (key.stale) use(key.id)
    return { user_id: key.user_id, guest: false, provision_key_id: key.id }
  }
  return (base: Identify): Identify => ({
    ...base,
    visitor: async (request, headers) => {
      const authorization = /^Bearer(?: +(.*))?$/i.exec(request.headers.get('Authorization') ?? '')
      return authorization ? bearer(authorization[1] ?? '') : base.visitor(request, headers)
    },
  })
}
