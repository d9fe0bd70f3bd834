import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../core/app-error.ts'
import type { GatewayKey, Keys } from '../keys/keys.ts'
import { clientAddress, isAmong } from './addresses.ts'
import type { Exchange } from './exchange.ts'
import type { Rates } from './rates.ts'

type Options = {
  keys: Keys
  rates: Rates
  trust_proxy: number
  /** Calls under way at a time in this process; beyond it a new one is told to come back. */
  most_calls: number
}

/**
 * Who may come in: a key that is known and enabled, from an address that it allows, within its rate. Nothing of the
 * body is read before. Throws AppError.
 */
export function openAdmission({ keys, rates, trust_proxy, most_calls }: Options) {
  let calls = 0
  return async ({ request, over }: Exchange): Promise<GatewayKey> => {
    if (calls >= most_calls) throw new AppError('overloaded', { retry_after: 1 })
    calls += 1
    void over.then(() => {
      calls -= 1
    })
    const token = tokenOf(request.headers)
    const key = token === undefined ? null : await keys.authenticate(token)
    if (!key) throw new AppError('key_invalid')
    const { allowed_addresses } = key
    if (allowed_addresses && !isAmong(clientAddress(request, trust_proxy), allowed_addresses)) {
      throw new AppError('address_not_allowed')
    }
    await rates.request(key)
    return key
  }
}

/** As clients of OpenAI's API send a key, or as those of Anthropic's do. */
function tokenOf({ authorization = '', 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  return bearer ?? (typeof key === 'string' && key ? key : undefined)
}
