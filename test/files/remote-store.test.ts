import { createHash, createHmac } from 'node:crypto'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRemoteStore } from '#server/files/remote-store.ts'
import { isSignatureValid, readSignature } from '#server/files/sigv4.ts'
import { expectCallError } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { assumeRole, startS3Double, toS3Environment } from './s3-double.ts'
import type { S3Double, StoreRequest } from './s3-double.ts'
import { putFile, upload, waitUntilRead } from './upload.ts'

let double: S3Double
beforeAll(async () => {
  double = await startS3Double()
})
beforeEach(() => {
  double.requests = []
  double.clear()
})
afterAll(() => double.close())

test('a signature that Amazon documents is valid, and no other', () => {
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Example: GET Object".
  const signature = 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'
  const host = 'examplebucket.s3.amazonaws.com'
  const headers = {
    host,
    range: 'bytes=0-9',
    'x-amz-content-sha256': createHash('sha256').digest('hex'),
    'x-amz-date': '20130524T000000Z',
    authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=${signature}`,
  }
  const isValid = (target: string): boolean => {
    const request = { method: 'GET', target, headers }
    const at = { hosts: [host], now: new Date('2013-05-24T00:01:00Z') }
    return isSignatureValid('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', request, readSignature(request)!, at)
  }
  expect([isValid('/test.txt'), isValid('/other.txt')]).toEqual([true, false])
})

/** Checks the server's own signature of a request, with all of its headers that the server chose. */
const isSigned = ({ method, url, headers, body }: StoreRequest): boolean => {
  const request = { method, target: url, headers: headers as Record<string, string> }
  const signature = readSignature(request)
  if (!signature) return false
  const payload =
    signature.service === 's3' ? {} : { payload_hash: createHash('sha256').update(body).digest('hex') }
  const at = { hosts: [headers.host ?? ''], now: new Date() }
  const expected = Object.keys(headers).filter((name) =>
    /^(host|range|if-match|content-type|x-amz-.*)$/.test(name),
  )
  return (
    expected.every((name) => signature.signed_headers.includes(name)) &&
    isSignatureValid('server-secret', request, { ...signature, ...payload }, at)
  )
}

describe('files in a store that speaks S3', () => {
  const world = useOwnWorld({
    env: () => toS3Environment(double),
  })
  beforeEach(() => {
    double.sts = assumeRole
  })

  test('are put there with keys for the own folder alone, read, given back in parts and deleted', async () => {
    const client = await world.user()
    const credential = await client.call('GET /api/cos/credential', {})
    expect(credential).toMatchObject({
      secret_id: 'temporary',
      secret_key: 'temporary-secret',
      token: 'temporary-token',
      expire_time: Date.parse('2026-11-22T10:30:00Z') / 1000,
      bucket_url: `${double.url}/bucket-125`,
    })
    const { body, authorization } = double.requests.find(({ url }) => url === '/')!
    const asked = new URLSearchParams(body)
    expect(authorization).toMatch(/Credential=server-key\/\d{8}\/cn-north-1\/sts\/aws4_request/)
    expect(asked.get('DurationSeconds')).toBe('1800')
    expect(JSON.parse(asked.get('Policy')!)).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
          Resource: [`arn:aws:s3:::bucket-125/${credential.prefix}*`],
        },
      ],
    })

    const { id, url } = await upload(world, client, { name: '诗.txt', content: '为有源头活水来' })
    expect((await waitUntilRead(client, id)).status).toBe(2)
    const part = await client.fetch(url, { headers: { Range: 'bytes=0-5' } })
    expect([part.status, await part.text()]).toEqual([206, '为有'])
    expect(JSON.stringify(double.requests)).not.toContain('server-secret')
    const own = double.requests.filter(({ authorization }) =>
      authorization.includes('Credential=server-key/'),
    )
    expect(new Set(own.map(({ method }) => method)).size).toBe(5)
    expect(own.filter((request) => !isSigned(request))).toEqual([])
    await client.call('DELETE /api/block/{id}', { params: { id } })
    expect(double.keys()).toEqual([])
  })

  test('are not recorded where they went once they had been looked at', async () => {
    const client = await world.user()
    double.is_read_once = true
    const saving = upload(world, client, { name: '露.txt', content: '日出即干' })
    expect((await expectCallError(saving)).body.code).toBe('file_missing')
    double.is_read_once = false
    expect((await client.call('GET /api/blocks', { query: {} })).total).toBe(0)
  })

  test('become pictures that everybody may load, beside what people put there', async () => {
    const client = await world.user()
    const content = createCanvas(300, 200).toBuffer('image/png')
    const source = await putFile(world, client, { name: 'a.png', content })
    const { avatar } = await client.call('PUT /api/user/info', { body: { avatar: source } })
    expect(double.keys()).toEqual([source.slice('/files/'.length), avatar.replace('/pictures/', 'p/')])
    expect((await world.visitor().fetch(avatar)).headers.get('Content-Type')).toBe('image/webp')
    double.clear()
    expect((await world.visitor().fetch(avatar)).status).toBe(404)
  })

  test('that nobody recorded are swept', async () => {
    const store = createRemoteStore({
      kind: 's3',
      endpoint: double.url,
      bucket: 'bucket-125',
      region: 'cn-north-1',
      path_style: true,
      secret_id: 'server-key',
      secret_key: 'server-secret',
      sts_endpoint: double.url,
      role_arn: 'arn',
    })
    const picture = `p/${'0'.repeat(32)}.webp`
    const sealed = `s/${'0'.repeat(36)}/${'0'.repeat(36)}/${'0'.repeat(32)}.txt`
    const keys = ['u/x', sealed, picture, 'p/of-somebody-else.webp', 's/of-somebody-else.txt', 'u/y', 'u/z']
    for (const key of keys) await store.put(key, Buffer.from('x'))
    const found = []
    for await (const older of store.listOlder(new Date(Date.now() + 1_000))) found.push(...older)
    expect(found).toEqual(['u/x', 'u/y', 'u/z', sealed, picture])
    for (const key of keys) await store.delete(key)
  })

  test('have no credential while the token service fails, and the page may reach the store', async () => {
    double.sts = (_, response) => response.writeHead(403).end('<Error>no</Error>')
    const client = await world.user()
    const error = await expectCallError(client.call('GET /api/cos/credential', {}))
    expect([error.status, error.body.message]).toEqual([503, '获取上传凭证失败，请重试'])
    const page = await client.fetch('/chat')
    expect(page.headers.get('Content-Security-Policy')).toContain(`connect-src 'self' ${double.url}`)
  })
})

describe('files in Tencent COS', () => {
  const world = useOwnWorld({
    env: () => ({
      COS_BUCKET: 'bucket-125',
      COS_REGION: 'ap-guangzhou',
      COS_SECRET_ID: 'cos-key',
      COS_SECRET_KEY: 'cos-secret',
      COS_ENDPOINT: double.url,
      COS_STS_ENDPOINT: `${double.url}/`,
    }),
  })

  /** Checks a signature by a second implementation of https://cloud.tencent.com/document/api/1312/48171. */
  const isSigned = ({ authorization, body, headers }: StoreRequest): boolean => {
    const hmac = (key: string | Buffer, text: string): Buffer =>
      createHmac('sha256', key).update(text).digest()
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
    const timestamp = String(headers['x-tc-timestamp'])
    const day = new Date(Number(timestamp) * 1000).toISOString().slice(0, 10)
    const signed = `content-type:${headers['content-type']}\nhost:${headers.host}\n`
    const canonical = ['POST', '/', '', signed, 'content-type;host', hash(body)].join('\n')
    const text = ['TC3-HMAC-SHA256', timestamp, `${day}/sts/tc3_request`, hash(canonical)].join('\n')
    const key = hmac(hmac(hmac('TC3cos-secret', day), 'sts'), 'tc3_request')
    return authorization.endsWith(`Signature=${hmac(key, text).toString('hex')}`)
  }

  test('are put there with federation tokens for the own folder alone', async () => {
    double.sts = (_, response) =>
      response.end(
        JSON.stringify({
          Response: {
            Credentials: { Token: 'cos-token', TmpSecretId: 'AKID', TmpSecretKey: 'tmp' },
            ExpiredTime: 1_795_000_000,
          },
        }),
      )
    const client = await world.user()
    const credential = await client.call('GET /api/cos/credential', {})
    expect(credential).toMatchObject({
      secret_id: 'AKID',
      secret_key: 'tmp',
      token: 'cos-token',
      expire_time: 1_795_000_000,
      bucket: 'bucket-125',
      region: 'ap-guangzhou',
    })
    const asked = double.requests.find(({ url }) => url === '/')
    expect(asked!.headers).toMatchObject({
      'x-tc-action': 'GetFederationToken',
      'x-tc-region': 'ap-guangzhou',
    })
    expect(isSigned(asked!)).toBe(true)
    const body = JSON.parse(asked!.body) as { DurationSeconds: number; Policy: string }
    expect(body.DurationSeconds).toBe(1_800)
    const { statement } = JSON.parse(decodeURIComponent(body.Policy)) as {
      statement: { action: string[]; resource: string[] }[]
    }
    expect(statement[0]!.resource).toEqual([`qcs::cos:ap-guangzhou:uid/125:bucket-125/${credential.prefix}*`])
    expect(statement[0]!.action).not.toContain('name/cos:GetObject')
    const { id } = await upload(world, client, { name: '诗.txt', content: '问渠那得清如许' })
    expect((await waitUntilRead(client, id)).status).toBe(2)
  })

  test('have no credential when the service refuses with status 200', async () => {
    double.sts = (_, response) =>
      response.end(JSON.stringify({ Response: { Error: { Code: 'AuthFailure' } } }))
    const error = await expectCallError((await world.user()).call('GET /api/cos/credential', {}))
    expect(error.body.code).toBe('credential_failed')
  })
})
