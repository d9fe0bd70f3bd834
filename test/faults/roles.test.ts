import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from '#server/core/settings/config-error.ts'
import { readConfig } from '#server/core/config.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import { createAppProcess } from '../world/app-process.ts'
import type { AppProcess } from '../world/app-process.ts'
import { createClient } from '../world/client.ts'
import { signIn } from '../world/sign-in.ts'
import { startUpstream } from '../world/upstream/upstream.ts'
import type { Upstream } from '../world/upstream/upstream.ts'
import { targets } from './database-targets.ts'

const APP_SECRET = 'a secret of at least thirty-two characters'

test('the embedded database is one process, which does everything', () => {
  const read = (ROLE: string) => readConfig({ NODE_ENV: 'test', APP_SECRET, ROLE })
  for (const role of ['web', 'worker']) expect(() => read(role)).toThrow(ConfigError)
  expect(read('all').role).toBe('all')
})

describe.each(targets.filter(({ kind }) => kind === 'postgres'))('on $kind', () => {
  let upstream: Upstream
  let web: AppProcess
  let worker: AppProcess
  beforeAll(async () => {
    upstream = await startUpstream()
    web = await createAppProcess(upstream.url, { ROLE: 'web', APP_SECRET })
    const { DATABASE_URL = '', DATA_DIR = '' } = web.env
    worker = await createAppProcess(upstream.url, { ROLE: 'worker', APP_SECRET, DATABASE_URL, DATA_DIR })
    await web.start()
  })
  afterAll(async () => {
    await worker.close()
    await web.close()
    await upstream.close()
  })

  test('what comes in at one process is worked on by another, which serves nobody', async () => {
    const client = createClient(() => web.url)
    await signIn(client, 'roles@example.com', web.data_dir)
    const { id } = await upload(web, client, { name: '诗.txt', content: '为有源头活水来' })
    expect((await client.call('GET /api/block/{id}', { params: { id } })).data.status).toBe(0)
    await worker.start()
    expect((await waitUntilRead(client, id)).status).toBe(2)
    const statuses = [
      '/healthz',
      '/readyz',
      '/',
      '/chat',
      '/api/models',
      '/api/v1/models',
      '/s3/wenqu/x',
    ].map(async (path) => (await fetch(worker.url + path)).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404, 404, 404, 404])
    expect(await worker.terminate()).toBe(0)
  })
})
