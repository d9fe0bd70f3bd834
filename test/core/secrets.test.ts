import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { readConfig } from '#server/core/config.ts'
import { serializeError } from '#server/core/log.ts'
import { createAppProcess } from '../world/app-process.ts'
import { createClient, expectCallError } from '../world/client.ts'
import { getLoginCode, getSessionToken, signIn } from '../world/sign-in.ts'
import { startUpstream } from '../world/upstream/upstream.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

test('what a failed query was asked with is not in the log', async () => {
  const failures = [
    sql`SELECT ${'canary5309'}::uuid`,
    sql`SELECT ${'canary5309'} FROM no_such_table`,
    sql`INSERT INTO run_hosts (id) VALUES (${'canary5309'})`,
  ]
  for (const query of failures) {
    const error: unknown = await world
      .db()
      .execute(query)
      .catch((reason: unknown) => reason)
    const logged = serializeError(error)
    expect(logged.message).toMatch(/^failed query: \s*(SELECT|INSERT)/)
    expect(logged.cause?.code).toMatch(/^\w{5}$/)
    expect(logged.stack).toContain('    at ')
    expect(JSON.stringify(logged)).not.toContain('canary5309')
  }
})

test('no key, code, cookie, question, e-mail address or platform’s key is in the log', async () => {
  const upstream = await startUpstream()
  const app = await createAppProcess(upstream.url, { LOG_LEVEL: 'debug' })
  try {
    await app.start()
    const client = createClient(() => app.url)
    await signIn(client, 'canary@example.com', app.data_dir)
    const code = await getLoginCode('canary@example.com', app.data_dir)
    await expectCallError(client.call('POST /login', { body: { email: 'canary@example.com', code } }))
    const { raw_value } = await client.call('POST /api/api_keys', { body: { name: '程序' } })
    upstream.script('scripted', { text: '回答里的秘密' }, { status: 401, body: 'bad key sk-scripted' })
    await client.ask('问题里的秘密')
    await client.ask('问题里的秘密')
    const complete = (model: string) =>
      fetch(`${app.url}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${raw_value}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: '问题里的秘密' }] }),
      }).then((response) => response.text())
    await Promise.all([complete('scripted'), complete('none')])
    const cookie = getSessionToken(client)
    await client.call('POST /logout', {})
    await app.terminate()
    const output = app.output()
    expect(output).toContain('"path":"/login"')
    expect(output).toContain('message sent')
    const secrets = [raw_value!, code, cookie, 'canary@', 'sk-scripted', '问题里的秘密', '回答里的秘密']
    for (const secret of secrets) expect(output).not.toContain(secret)
  } finally {
    await app.close()
    await upstream.close()
  }
})

test('a server is reached from its own machine only, until its operator says otherwise', () => {
  const data = { DATA_DIR: world.data_dir, APP_SECRET: 'x'.repeat(32) }
  expect(readConfig(data).host).toBe('127.0.0.1')
  expect(readConfig({ ...data, HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
  expect(readConfig({ ...data, NODE_ENV: 'production' }).host).toBe('0.0.0.0')
})
