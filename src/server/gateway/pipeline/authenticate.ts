import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '#server/core/app-error.ts'
import type { GatewayKey, Keys } from '#server/keys/keys.ts'
import { getClientAddress, isAddressAllowed } from '../http/client-address.ts'
import type { Exchange } from '../http/exchange.ts'
import type { RateLimits } from './rate-limits.ts'

type Options = {
  keys: Keys
  rate_limits: RateLimits
  trust_proxy: number
  /** Calls under way at a time in this process; beyond it a new one is told to come back. */
  max_calls: number
}

/**
 * Who may come in: a key that is known and enabled, from an address that it allows, within its rate. Nothing of the
 * body is read before. Throws AppError.
 */
export function createAuthenticator({ keys, rate_limits, trust_proxy, max_calls }: Options) {
  let active_calls = 0
  return async ({ request, finished }: Exchange): Promise<GatewayKey> => {
    if (active_calls >= max_calls) throw new AppError('overloaded', { retry_after: 1 })
    active_calls += 1
    void finished.then(() => {
      active_calls -= 1
    })
    const token = getToken(request.headers)
    const key = token === undefined ? null : await keys.authenticate(token)
    if (!key) throw new AppError('key_invalid')
    const { allowed_addresses } = key
    if (allowed_addresses && !isAddressAllowed(getClientAddress(request, trust_proxy), allowed_addresses)) {
      throw new AppError('address_not_allowed')
    }
    await rate_limits.countRequest(key)
    return key
  }
}

/** As clients of OpenAI's API send a key, or as those of Anthropic's do. */
function getToken({ authorization = '', 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  return bearer ?? (typeof key === 'string' && key ? key : undefined)
}
