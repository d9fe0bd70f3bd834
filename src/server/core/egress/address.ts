import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are not the public internet (IANA's special-purpose registry, RFC 6890). */
const PRIVATE_IPV4: [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Looks public, but Azure's hosts serve the machines on them there.
  ['168.63.129.16', 32],
]

/**
 * Networks inside 2000::/3 that are not the public internet, or that contain an IPv4 address: Teredo, benchmarks and ORCHID
 * (2001::/23), documentation, 6to4.
 */
const PRIVATE_IPV6: [network: string, bits: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const refusedNetworks = new BlockList()
for (const [network, bits] of PRIVATE_IPV4) refusedNetworks.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of PRIVATE_IPV6) refusedNetworks.addSubnet(network, bits, 'ipv6')
/** The part of IPv6 assigned to the public internet so far; mapped, translated, local and multicast addresses lie outside. */
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')

/** Tells whether an address, as a resolver returns it, is one of the public internet. False for any other text. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !refusedNetworks.check(address, 'ipv4')
  // A zone names an interface of this machine.
  if (family !== 6 || address.includes('%')) return false
  return globalIpv6.check(address, 'ipv6') && !refusedNetworks.check(address, 'ipv6')
}
