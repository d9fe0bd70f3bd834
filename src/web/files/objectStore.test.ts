import { afterEach, expect, test, vi } from 'vitest'
import { uploadMessages } from '#contract/uploads.ts'
import { forgetCredential, isTransient, objectStore } from './objectStore.ts'

afterEach(() => void vi.unstubAllGlobals())

const credential = {
  secret_id: 'id',
  secret_key: 'key',
  token: 'token',
  region: 'local',
  bucket_url: '/store',
  base_url: '/store/',
  prefix: 'u/1/',
  expire_time: Number.MAX_SAFE_INTEGER,
}

test('an answer of the store that is cut may be asked for again', async () => {
  vi.stubGlobal('location', { origin: 'http://localhost' })
  vi.stubGlobal('fetch', (url: string) =>
    Promise.resolve(
      url === '/api/cos/credential'
        ? new Response(JSON.stringify(credential))
        : new Response(
            new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) }),
          ),
    ),
  )
  const { signal } = new AbortController()
  const error: unknown = await objectStore.createUpload('u/1/a', signal).catch((cause: unknown) => cause)
  expect(isTransient(error)).toBe(true)
})

test('that there is no credential is said at once, in the server’s words where it refuses one, and waited for without a network only', async () => {
  const { signal } = new AbortController()
  const fail = (): Promise<unknown> =>
    objectStore.createUpload('u/1/a', signal).catch((cause: unknown) => cause)
  const answers: [message: string, answer: () => Promise<Response>][] = [
    [uploadMessages.credential_failed, () => Promise.reject(new TypeError('network error'))],
    [uploadMessages.credential_failed, () => Promise.resolve(new Response('<p>', { status: 502 }))],
    ['未保存的文件太多', async () => Response.json({ message: '未保存的文件太多' }, { status: 429 })],
  ]
  for (const [message, answer] of answers) {
    forgetCredential()
    vi.stubGlobal('fetch', answer)
    const error = await fail()
    expect(error).toMatchObject({ message })
    vi.stubGlobal('navigator', { onLine: true })
    expect(isTransient(error)).toBe(false)
    vi.stubGlobal('navigator', { onLine: false })
    expect(isTransient(error)).toBe(message === uploadMessages.credential_failed)
  }
})
