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
