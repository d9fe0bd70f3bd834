import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { letTimePass } from '../world/sign-in.ts'
import { useResource, useOwnWorld, useWorld } from '../world/use-world.ts'
import { startPlatforms } from './platforms.ts'

const platforms = useResource(startPlatforms)
const world = useOwnWorld({
  env: async () => ({
    TRUST_PROXY: '1',
    WECHAT_APP_ID: 'wx1',
    WECHAT_APP_SECRET: 'wechat-secret',
    WECHAT_API_URL: platforms.url,
    WECHAT_MP_APP_ID: 'wxmp',
    WECHAT_MP_APP_SECRET: 'mp-secret',
  }),
})
const without = useWorld()

async function requestCode(client: Client, email: string): Promise<string> {
  await letTimePass(world.db(), '61 minutes')
  await client.call('POST /auth/vcode', { body: { email } })
  return world.getLoginCode(email)
}
const getInfo = (client: Client) => client.call('GET /api/user/info', {})

describe('WeChat', () => {
  const start = async (client: Client, query: { redirect_to?: string; old_code?: string } = {}) => {
    const url = new URL((await client.call('GET /wechat/login', { query })).url)
    return { url, state: url.searchParams.get('state') ?? '' }
  }
  const comeBack = async (client: Client, code: string, state: string) => {
    const response = await client.fetch(`/wechat/callback?${new URLSearchParams({ code, state }).toString()}`)
    return [response.status, response.headers.get('Location')]
  }

  test('signs in the browser that was sent there, once, and comes back to the same account', async () => {
    const client = world.visitor()
    const { url, state } = await start(client, { redirect_to: '/models' })
    expect(url.origin + url.pathname).toBe('https://open.weixin.qq.com/connect/qrconnect')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      appid: 'wx1',
      response_type: 'code',
      scope: 'snsapi_login',
      redirect_uri: expect.stringMatching(/\/wechat\/callback$/),
    })
    expect(url.hash).toBe('#wechat_redirect')
    expect(await comeBack(world.visitor(), 'person-stolen', state)).toEqual([302, '/login?wechat=failed'])
    const second = await start(client, { redirect_to: '/models' })
    expect(await comeBack(client, 'person-li', second.state)).toEqual([302, '/models'])
    const { uuid, auth_types } = await getInfo(client)
    expect(auth_types).toEqual(['wechat'])
    expect(await comeBack(client, 'person-li2', second.state)).toEqual([
      302,
      '/profile/setting?wechat=failed',
    ])
    const again = world.visitor()
    expect(await comeBack(again, 'person-li-again', (await start(again)).state)).toEqual([302, '/chat'])
    expect((await getInfo(again)).uuid).toBe(uuid)
  })

  test('begins no account on a day that has begun all of them, and the page is told why', async () => {
    await world.db().execute(sql`
      INSERT INTO limit_uses (use_id, key) SELECT gen_random_uuid(), 'signup:house' FROM generate_series(1, 5000)`)
    const client = world.visitor()
    const outcome = await comeBack(client, 'person-late', (await start(client)).state)
    await world.db().execute(sql`DELETE FROM limit_uses WHERE key = 'signup:house'`)
    expect(outcome).toEqual([302, '/login?wechat=limited'])
    expect((await expectCallError(getInfo(client))).status).toBe(401)
  })

  test('a code that WeChat refuses signs nobody in', async () => {
    const client = world.visitor()
    expect(await comeBack(client, 'forged', (await start(client)).state)).toEqual([
      302,
      '/login?wechat=failed',
    ])
    expect((await expectCallError(getInfo(client))).status).toBe(401)
  })

  test('is bound to the account that is signed in, unless another one has it', async () => {
    const [client, other] = [await world.user('wechat1@example.com'), await world.user('wechat2@example.com')]
    expect((await expectCallError(start(client))).body.code).toBe('old_code_required')
    const begin = async (by: Client, email: string) => {
      const oldCode = await requestCode(by, email)
      return start(by, { old_code: oldCode, redirect_to: '/profile/setting' })
    }
    const bound = await begin(client, 'wechat1@example.com')
    expect(await comeBack(client, 'person-wang', bound.state)).toEqual([302, '/profile/setting'])
    expect((await getInfo(client)).auth_types).toEqual(['email', 'wechat'])
    const taken = await begin(other, 'wechat2@example.com')
    expect(await comeBack(other, 'person-wang-2', taken.state)).toEqual([
      302,
      '/profile/setting?wechat=taken',
    ])
    expect((await getInfo(other)).auth_types).toEqual(['email'])
  })

  const IN_WECHAT =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) MicroMessenger/8.0.50 NetType/WIFI'
  const startInWechat = async (client: Client, userAgent = IN_WECHAT) => {
    // The server counts tries by address.
    const headers = { 'User-Agent': userAgent, 'x-forwarded-for': '198.51.100.7' }
    const response = await client.fetch('/wechat/login', { headers })
    const url = new URL(((await response.json()) as { url: string }).url)
    return { url, state: url.searchParams.get('state') ?? '' }
  }

  test('in its own browser asks the official account, and is the same person as by the code that is scanned', async () => {
    const scanned = world.visitor()
    expect(await comeBack(scanned, 'person-zhao', (await start(scanned)).state)).toEqual([302, '/chat'])
    const client = world.visitor()
    const { url, state } = await startInWechat(client)
    expect(url.origin + url.pathname).toBe('https://open.weixin.qq.com/connect/oauth2/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      appid: 'wxmp',
      redirect_uri: expect.stringMatching(/\/wechat\/callback$/),
      response_type: 'code',
      scope: 'snsapi_userinfo',
      state,
    })
    expect(url.hash).toBe('#wechat_redirect')
    expect(await comeBack(world.visitor(), 'mp-stolen', state)).toEqual([302, '/login?wechat=failed'])
    const again = await startInWechat(client)
    expect(await comeBack(client, 'mp-zhao', again.state)).toEqual([302, '/chat'])
    expect((await getInfo(client)).uuid).toBe((await getInfo(scanned)).uuid)
  })

  test('in its own browser a code of the other application, a changed state and a preview sign nobody in', async () => {
    const client = world.visitor()
    const failed = [302, '/login?wechat=failed']
    expect(await comeBack(client, 'person-qian', (await startInWechat(client)).state)).toEqual(failed)
    const { state } = await startInWechat(client)
    expect(await comeBack(client, 'person-qian2', state.replace('mp.', ''))).toEqual(failed)
    expect(await comeBack(client, 'mp-preview', (await startInWechat(client)).state)).toEqual(failed)
    expect((await expectCallError(getInfo(client))).status).toBe(401)
    // WeCom's people are not WeChat's.
    const { url } = await startInWechat(client, `${IN_WECHAT} wxwork/4.1`)
    expect(url.pathname).toBe('/connect/qrconnect')
  })

  test('is not offered where it is not configured', async () => {
    const refused = await expectCallError(without.visitor().call('GET /wechat/login', { query: {} }))
    expect([refused.status, refused.body.code]).toEqual([404, 'wechat_unavailable'])
  })
})
