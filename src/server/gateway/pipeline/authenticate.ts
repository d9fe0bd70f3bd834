import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { AppError } from '#server/core/app-error.ts'
import { getClientAddress } from '#server/core/client-address.ts'
import type { GatewayKey, Keys } from '#server/keys/keys.ts'
import type { Exchange } from '../http/exchange.ts'
import type { RateLimits } from './rate-limits.ts'

type Options = {
  keys: Keys
  rate_limits: RateLimits
  /** Reverse proxies in front whose X-Forwarded-For is trusted. */
  trust_proxy: number
  /** Calls under way at a time in this process; beyond it a new one gets `overloaded`. */
  max_calls: number
}

/**
 * Admits calls with a key that is known and enabled, from an address that it allows, within its rate. Nothing of the
 * body is read before. Throws AppError.
 */
export function createAuthenticator({ keys, rate_limits, trust_proxy, max_calls }: Options) {
  let active_calls = 0
  return async (exchange: Exchange): Promise<GatewayKey> => {
    const { request, finished } = exchange
    if (active_calls >= max_calls) throw new AppError('overloaded', { retry_after: 1 })
    active_calls += 1
    void finished.then(() => {
      active_calls -= 1
    })
    const token = getToken(request.headers)
    const key = token === undefined ? null : await keys.authenticate(token)
    if (!key) throw new AppError('key_invalid')
    const { allowed_addresses } = key
    const { socket, headers } = request
    const source = { peer: socket.remoteAddress, forwarded_for: headers['x-forwarded-for']?.toString() }
    if (allowed_addresses && !isAddressAllowed(getClientAddress(source, trust_proxy), allowed_addresses)) {
      throw new AppError('address_not_allowed')
    }
    await rate_limits.countRequest(key, exchange)
    return key
  }
}

/** As clients of OpenAI's API send a key, or as those of Anthropic's do. */
function getToken({ authorization = '', 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  return bearer ?? (typeof key === 'string' && key ? key : undefined)
}

/** Whether an address is in a list of addresses and CIDR ranges. */
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
