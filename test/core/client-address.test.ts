import { expect, test } from 'vitest'
import { getClientAddress, getLimitKey } from '#server/core/client-address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7', '192.0.2.7'],
  ['0:0:0:0:0:ffff:c000:207', '192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1::9', '2001:db8:0:1::9', '2001:db8:0:1::/64'],
  ['2001:0DB8::1:ffff:0:0:1', '2001:0DB8::1:ffff:0:0:1', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '::1', '0:0:0:0::/64'],
  ['::ffff:nonsense', '::ffff:nonsense', '::ffff:nonsense'],
  ['', '', ''],
])('%s is the client %s and counts as %s', (peer, address, key) => {
  expect(getClientAddress({ peer, forwarded_for: undefined }, 0)).toBe(address)
  expect(getLimitKey(address)).toBe(key)
})

test('only what the trusted proxies say is believed', () => {
  const source = { peer: '10.0.0.1', forwarded_for: '8.8.8.8, 203.0.113.5, 10.0.0.2' }
  expect([0, 1, 2, 3, 4].map((proxies) => getClientAddress(source, proxies))).toEqual([
    '10.0.0.1',
    '10.0.0.2',
    '203.0.113.5',
    '8.8.8.8',
    '10.0.0.1',
  ])
})

test.each([
  ['nginx, HAProxy, Cloudflare, Tencent and Alibaba load balancers', '203.0.113.50', '203.0.113.50'],
  ['the same by IPv6', '2001:db8::1', '2001:db8::1'],
  ['HAProxy on a socket for both families', '::ffff:203.0.113.50', '203.0.113.50'],
  ['Azure Application Gateway', '203.0.113.50:1001', '203.0.113.50'],
  ['AWS with xff_client_port', '203.0.113.50:65535', '203.0.113.50'],
  ['AWS with xff_client_port by IPv6', '[2001:db8::1]:1001', '2001:db8::1'],
  ['Envoy, IPv6 in brackets', '[2001:db8::1]', '2001:db8::1'],
  ['brackets around a mapped address', '[::ffff:203.0.113.50]:1001', '203.0.113.50'],
  ['quotes, as Forwarded has them', '"[2001:db8::1]:1001"', '2001:db8::1'],
  ['spaces and tabs', ' \t203.0.113.50\t', '203.0.113.50'],
  ['a link-local address with its zone', 'fe80::1%eth0', 'fe80::1%eth0'],
  // Without a valid address, the peer's counts.
  ['Squid that hides its client', 'unknown', '10.0.0.1'],
  ['an obfuscated identifier', '_hidden', '10.0.0.1'],
  ['nothing', '', '10.0.0.1'],
  ['a name', 'client.example', '10.0.0.1'],
  ['a number that is no address', '203.0.113.500', '10.0.0.1'],
  ['four numbers of another base', '0x7f.0.0.1', '10.0.0.1'],
  ['a port that is none', '203.0.113.50:x', '10.0.0.1'],
  ['a port too long', '203.0.113.50:123456', '10.0.0.1'],
  ['brackets that do not end', '[2001:db8::1', '10.0.0.1'],
  ['brackets around IPv4 with rubbish behind', '[203.0.113.50]x', '10.0.0.1'],
  ['a pair as Forwarded has it', 'for=203.0.113.50', '10.0.0.1'],
])('what %s writes (%j) is the client %s', (_, item, address) => {
  for (const [forwardedFor, proxies] of [
    [item, 1],
    [`8.8.8.8, ${item}`, 1],
    [`spoofed, ${item}, 10.0.0.2`, 2],
  ] as const)
    expect(getClientAddress({ peer: '10.0.0.1', forwarded_for: forwardedFor }, proxies)).toBe(address)
})

test('a client cannot make itself another one by what it sends itself', () => {
  const write = (sent: string) =>
    getClientAddress({ peer: '10.0.0.1', forwarded_for: `${sent}, 203.0.113.50:${sent.length}` }, 1)
  const sent = ['', '1.2.3.4', '1.2.3.4:5', ',,,', 'x'.repeat(99), '"', '[', '203.0.113.51,']
  expect(new Set(sent.map(write))).toEqual(new Set(['203.0.113.50']))
})
