import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createNetServer } from 'node:net'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublicAddress } from '#server/core/egress/address.ts'
import { createEgress, PUBLIC_INTERNET } from '#server/core/egress/egress.ts'

/** Stands for a server of the public internet. */
const PUBLIC_ADDRESS = '127.0.0.2'
const OPTIONS = { max_bytes: 3_000_000, timeout_ms: 10_000, accept: 'text/html' }

let canary: NetServer
let canaryPort: number
let canaryConnections = 0
let site: Server
let siteUrl: string
let respond: (request: IncomingMessage, response: ServerResponse) => void

beforeAll(async () => {
  // Notices any connection to this machine by any of its addresses, IPv4 or IPv6.
  canary = createNetServer((socket) => {
    canaryConnections++
    socket.destroy()
  }).listen(0, '::')
  await once(canary, 'listening')
  canaryPort = (canary.address() as AddressInfo).port
  site = createServer((request, response) => respond(request, response)).listen(0, PUBLIC_ADDRESS)
  await once(site, 'listening')
  siteUrl = `http://public.example:${(site.address() as AddressInfo).port}`
})
beforeEach(() => {
  canaryConnections = 0
})
afterAll(async () => {
  canary.close()
  site.closeAllConnections()
  site.close()
})

const anyPort = { ...PUBLIC_INTERNET, isAllowedPort: () => true }
/** Names resolve as `addresses` says, anew for each query; one address of this machine counts as public. */
const createTestEgress = (addresses: Record<string, (() => string[]) | string[]> = {}) =>
  createEgress({
    async resolve(hostname) {
      const known = addresses[hostname] ?? (hostname === 'public.example' ? [PUBLIC_ADDRESS] : undefined)
      if (!known) throw new Error(`no such name: ${hostname}`)
      return typeof known === 'function' ? known() : known
    },
    isAllowedAddress: (address) => address === PUBLIC_ADDRESS || isPublicAddress(address),
    isAllowedPort: () => true,
  })

describe('addresses of this machine, of private networks and of metadata services are refused', () => {
  test.each([
    'localhost',
    'LOCALHOST.',
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.000.000.001',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.255.255.254',
    '0',
    '0.0.0.0',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::1]',
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
    '[::ffff:0:127.0.0.1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '168.63.129.16',
    '100.100.100.200',
    '100.64.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[2001:db8::1]',
  ])('http://%s', async (host) => {
    const fetched = createEgress(anyPort).fetchUrl(`http://${host}:${canaryPort}/`, OPTIONS)
    await expect(fetched).rejects.toMatchObject({ code: 'link_refused' })
    expect(canaryConnections).toBe(0)
  })

  test.each([
    'ftp://public.example/',
    'file:///etc/passwd',
    'gopher://public.example/',
    'data:text/html,hello',
    'http://user@public.example/',
    'http://public.example:secret@127.0.0.1/',
    'http://[fe80::1%25eth0]/',
    'http://[::1%lo]/',
    'http://public.example:22/',
    'https://public.example:6379/',
    'http://',
    'public.example',
    `http://public.example/${'x'.repeat(2_000)}`,
  ])('%s', async (url) => {
    const fetched = createEgress().fetchUrl(url, OPTIONS)
    await expect(fetched).rejects.toMatchObject({ code: 'link_refused' })
  })
})

test.each(['1.1.1.1', '8.8.8.8', '223.5.5.5', '2400:3200::1', '2606:4700:4700::1111'])(
  '%s is an address of the public internet',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i is followed to a public page', async (status) => {
    respond = ({ url }, response) =>
      url === '/page'
        ? response.writeHead(200, { 'Content-Type': 'text/html' }).end('到了')
        : response.writeHead(status, { Location: '/page' }).end()
    const page = await createTestEgress().fetchUrl(siteUrl, OPTIONS)
    expect(page).toMatchObject({ url: `${siteUrl}/page`, content_type: 'text/html' })
    expect(page.bytes.toString()).toBe('到了')
  })

  test.each(
    [301, 302, 303, 307, 308].flatMap((status) =>
      ['http://127.0.0.1', 'http://2130706433', 'http://[::ffff:127.0.0.1]', 'http://inside.example'].map(
        (target) => [status, target] as const,
      ),
    ),
  )('%i to %s is refused before anything is dialled', async (status, target) => {
    respond = (_, response) => response.writeHead(status, { Location: `${target}:${canaryPort}/` }).end()
    const fetched = createTestEgress({ 'inside.example': ['127.0.0.1'] }).fetchUrl(siteUrl, OPTIONS)
    await expect(fetched).rejects.toMatchObject({ code: 'link_refused' })
    expect(canaryConnections).toBe(0)
  })

  test('five hops are followed and the address behind each is checked, a sixth is not', async () => {
    const hop = ({ url }: IncomingMessage): number => Number(url?.slice(1) || 0)
    respond = (request, response) =>
      hop(request) === 5
        ? response.end('到了')
        : response.writeHead(302, { Location: `/${hop(request) + 1}` }).end()
    expect((await createTestEgress().fetchUrl(siteUrl, OPTIONS)).bytes.toString()).toBe('到了')

    respond = (request, response) => {
      const Location = hop(request) === 4 ? `http://127.0.0.1:${canaryPort}/` : `/${hop(request) + 1}`
      response.writeHead(302, { Location }).end()
    }
    const ledInside = createTestEgress().fetchUrl(siteUrl, OPTIONS)
    await expect(ledInside).rejects.toMatchObject({ code: 'link_refused' })
    expect(canaryConnections).toBe(0)

    respond = (request, response) => response.writeHead(302, { Location: `/${hop(request) + 1}` }).end()
    await expect(createTestEgress().fetchUrl(siteUrl, OPTIONS)).rejects.toMatchObject({
      code: 'link_failed',
    })
  })

  test('what a page says of going elsewhere is not followed', async () => {
    const html = `<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${canaryPort}/">`
    respond = (_, response) =>
      response.writeHead(200, { Refresh: `0;url=http://127.0.0.1:${canaryPort}/` }).end(html)
    expect((await createTestEgress().fetchUrl(siteUrl, OPTIONS)).bytes.toString()).toBe(html)
    expect(canaryConnections).toBe(0)
  })
})

describe('a name that changes where it leads', () => {
  test('is refused when it leads inside at the moment of dialling', async () => {
    const answers = [[PUBLIC_ADDRESS], ['127.0.0.1']]
    const port = new URL(siteUrl).port
    respond = (_, response) =>
      response.writeHead(302, { Location: `http://rebinding.example:${canaryPort}/` }).end()
    const egress = createTestEgress({ 'rebinding.example': () => answers.shift() ?? ['127.0.0.1'] })
    const fetched = egress.fetchUrl(`http://rebinding.example:${port}/`, OPTIONS)
    await expect(fetched).rejects.toMatchObject({ code: 'link_refused' })
    expect(canaryConnections).toBe(0)
  })

  test('is asked once for a connection: what is dialled is what was checked', async () => {
    let asked = 0
    const addresses = () => (asked++ === 0 ? [PUBLIC_ADDRESS] : ['127.0.0.1'])
    respond = (_, response) => response.end('到了')
    const url = `http://rebinding.example:${new URL(siteUrl).port}/`
    const page = await createTestEgress({ 'rebinding.example': addresses }).fetchUrl(url, OPTIONS)
    expect([page.bytes.toString(), asked]).toEqual(['到了', 1])
  })

  test.each([
    [['127.0.0.1', PUBLIC_ADDRESS]],
    [[PUBLIC_ADDRESS, '::1']],
    [['::ffff:127.0.0.1']],
    [['fe80::1%eth0']],
    [[]],
  ])('is refused when any of its addresses leads inside: %j', async (addresses) => {
    const fetched = createTestEgress({ 'mixed.example': addresses }).fetchUrl(
      `http://mixed.example:${canaryPort}/`,
      OPTIONS,
    )
    await expect(fetched).rejects.toMatchObject({ code: 'link_refused' })
    expect(canaryConnections).toBe(0)
  })
})

describe('what a server sends is bounded', () => {
  const fetchSite = (options: object = {}) => createTestEgress().fetchUrl(siteUrl, { ...OPTIONS, ...options })

  test('in bytes, exactly', async () => {
    respond = (_, response) => response.end('x'.repeat(1_000))
    expect((await fetchSite({ max_bytes: 1_000 })).bytes).toHaveLength(1_000)
    await expect(fetchSite({ max_bytes: 999 })).rejects.toMatchObject({ code: 'link_too_large' })
  })

  test('in what it becomes when it is decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    respond = (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb)
    await expect(fetchSite({ max_bytes: 100_000_000 })).rejects.toMatchObject({ code: 'link_too_large' })
    respond = (_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('你好'.repeat(1_000)))
    expect((await fetchSite()).bytes.toString()).toBe('你好'.repeat(1_000))
  })

  test('in time, from the first byte to the last', async () => {
    respond = (_, response) => {
      const timer = setInterval(() => response.write('x'), 10)
      response.on('close', () => clearInterval(timer))
    }
    await expect(fetchSite({ timeout_ms: 100 })).rejects.toMatchObject({ code: 'link_unanswered' })
  })

  test.each([
    ['a broken compression', { 'Content-Encoding': 'gzip' }, 'no gzip'],
    ['a compression nobody knows', { 'Content-Encoding': 'zstd, gzip' }, 'x'],
  ])('%s is a failure, not a crash', async (_, headers, body) => {
    respond = (_request, response) => response.writeHead(200, headers).end(body)
    await expect(fetchSite()).rejects.toMatchObject({ code: 'link_failed' })
  })

  test('a page that is not there and an unknown name fail; a cut connection and a server in trouble are no answer', async () => {
    respond = (_, response) => response.writeHead(404).end('nothing')
    await expect(fetchSite()).rejects.toMatchObject({ code: 'link_failed' })
    respond = (_, response) => response.destroy()
    await expect(fetchSite()).rejects.toMatchObject({ code: 'link_unanswered' })
    for (const status of [429, 500, 503]) {
      respond = (_, response) => response.writeHead(status).end()
      await expect(fetchSite()).rejects.toMatchObject({ code: 'link_unanswered' })
    }
    const unknown = createTestEgress().fetchUrl('http://unknown.example/', OPTIONS)
    await expect(unknown).rejects.toMatchObject({ code: 'link_failed' })
  })

  test('whoever waits may stop waiting', async () => {
    const controller = new AbortController()
    respond = () => controller.abort(new Error('gone'))
    await expect(fetchSite({ signal: controller.signal })).rejects.toThrow('gone')
  })
})

describe('a fetch ends when its time is over, at whatever point the other side falls silent', () => {
  const ends: NetServer[] = []
  const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
  const REDIRECT = 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\nLocation: '

  /** Starts a server that answers with `first`, and then with a piece every 10 ms. */
  async function listen(first: string, piece?: (nth: number) => string | Buffer): Promise<number> {
    const end = createNetServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(first)
        let nth = 0
        const timer = setInterval(() => piece && socket.write(piece(nth++)), 10)
        socket.on('close', () => clearInterval(timer))
      })
    }).listen(0, PUBLIC_ADDRESS)
    ends.push(end)
    await once(end, 'listening')
    return (end.address() as AddressInfo).port
  }
  afterAll(() => {
    for (const end of ends) end.close()
  })
  const compressed = gzipSync(Buffer.from(Array.from({ length: 100_000 }, (_, n) => n % 251)))

  test.each([
    ['before TLS has begun', () => listen(''), 'https'],
    ['before the headers', () => listen(''), 'http'],
    ['in interim answers', () => listen('', () => 'HTTP/1.1 103 Early Hints\r\n\r\n'), 'http'],
    ['in the headers', () => listen(HEAD, (nth) => `X-${nth}: x\r\n`), 'http'],
    ['in a body that never ends', () => listen(`${HEAD}\r\n`, () => 'x'), 'http'],
    [
      'in a compressed body',
      () => listen(`${HEAD}Content-Encoding: gzip\r\n\r\n`, (nth) => compressed.subarray(nth, nth + 1)),
      'http',
    ],
    [
      'behind a redirect, before TLS has begun',
      async () => listen(`${REDIRECT}https://public.example:${await listen('')}/\r\n\r\n`),
      'http',
    ],
  ])('%s', { timeout: 5_000 }, async (_, listenStalled, scheme) => {
    const fetched = createTestEgress().fetchUrl(`${scheme}://public.example:${await listenStalled()}/`, {
      ...OPTIONS,
      timeout_ms: 200,
    })
    await expect(fetched).rejects.toMatchObject({ code: 'link_unanswered' })
  })

  test('in the look-up of a name, first or behind a redirect', { timeout: 5_000 }, async () => {
    const egress = createEgress({
      ...anyPort,
      isAllowedAddress: () => true,
      resolve: (hostname) =>
        hostname === 'silent.example' ? new Promise(() => {}) : Promise.resolve([PUBLIC_ADDRESS]),
    })
    const port = await listen(`${REDIRECT}http://silent.example/\r\n\r\n`)
    for (const url of ['http://silent.example/', `http://public.example:${port}/`]) {
      const fetched = egress.fetchUrl(url, { ...OPTIONS, timeout_ms: 200 })
      await expect(fetched).rejects.toMatchObject({ code: 'link_unanswered' })
    }
  })
})

// The last address of each private network, and the first one behind it (RFC 1918, 6598, 3927, 2544).
test.each([
  ['10.255.255.255', '11.0.0.0'],
  ['172.31.255.255', '172.32.0.0'],
  ['192.168.255.255', '192.169.0.0'],
  ['100.127.255.255', '100.128.0.0'],
  ['169.254.255.255', '169.255.0.0'],
  ['198.19.255.255', '198.20.0.0'],
])('a private network ends at %s', (last, next) => {
  expect([isPublicAddress(last), isPublicAddress(next)]).toEqual([false, true])
})
