import { afterEach, expect, test, vi } from 'vitest'
import { isTransient, objectStore } from './objectStore.ts'

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
