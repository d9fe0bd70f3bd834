import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** The client's address: the peer's, or the one that the nearest trusted proxy saw. An IPv4 one never reads as IPv6. */
export function getClientAddress({ socket, headers }: IncomingMessage, trust_proxy: number): string {
  const hops = String(headers['x-forwarded-for'] ?? '').split(',')
  const seen = trust_proxy ? hops.at(-trust_proxy)?.trim() : ''
  return (seen || (socket.remoteAddress ?? '')).replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Whether an address is in a list of addresses and CIDR ranges. */
export function isAddressAllowed(address: string, allowed: readonly string[]): boolean {
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
