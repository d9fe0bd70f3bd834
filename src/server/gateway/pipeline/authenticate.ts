import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { AppError } from '#server/core/app-error.ts'
import { PROCESS } from '#server/core/capacity.ts'
import type { CapacityCounter } from '#server/core/capacity.ts'
import type { GatewayKey, Keys } from '#server/accounts/keys/keys.ts'
import type { Exchange } from '../http/exchange.ts'
import type { RateLimits } from './rate-limits.ts'

type Options = {
  keys: Keys
  rate_limits: RateLimits
  /** Calls under way. */
  calls: CapacityCounter
}

/**
 * Admits calls with a key that is known and enabled, from an address that it allows, within its rate and within the calls that
 * process, address and account may have under way. The body is read only afterwards. Throws AppError.
 */
export function createAuthenticator({ keys, rate_limits, calls }: Options) {
  return async (exchange: Exchange): Promise<GatewayKey> => {
    const { request, address, limit_key, finished } = exchange
    const reservation = calls.open()
    void finished.then(reservation.release)
    reservation.reserve(1, [PROCESS, { type: 'address', id: limit_key }])
    const token = getToken(request.headers)
    const key = token === undefined ? null : await keys.authenticate(token)
    if (!key) throw new AppError('key_invalid')
    const { account_id, allowed_addresses } = key
    if (allowed_addresses && !isAddressAllowed(address, allowed_addresses)) {
      throw new AppError('address_not_allowed')
    }
    reservation.reserve(1, [{ type: 'account', id: account_id }])
    await rate_limits.countRequest(key, exchange)
    return key
  }
}

/** Reads a key as clients of OpenAI's API send it, or as clients of Anthropic's do. */
function getToken({ authorization = '', 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  return bearer ?? (typeof key === 'string' && key ? key : undefined)
}

/** Tells whether an address is in a list of addresses and CIDR ranges. */
function isAddressAllowed(address: string, allowed: readonly string[]): boolean {
  const list = new BlockList()
  for (const entry of allowed) {
    const [net = '', prefix] = entry.split('/')
    const family = getFamily(net)
    if (family && prefix === undefined) list.addAddress(net, family)
    else if (family) list.addSubnet(net, Number(prefix), family)
  }
  const family = getFamily(address)
  return family !== null && list.check(address, family)
}

function getFamily(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6'
}
