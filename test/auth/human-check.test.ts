import { describe, expect, test } from 'vitest'
import { solveChallenge } from '#web/accounts/auth/proofOfWork.ts'
import { expectCallError } from '../world/client.ts'
import { useResource, useOwnWorld } from '../world/use-world.ts'
import { KEYS, signAsTencent, startPlatforms } from './platforms.ts'

const platforms = useResource(startPlatforms)
const getProduction = () => ({
  ...KEYS,
  NODE_ENV: 'production',
  APP_SECRET: 'a-secret-of-more-than-thirty-two-characters',
  APP_URL: 'http://localhost:3000',
  SMS_APP_ID: '1400000000',
  SMS_SIGN_NAME: '问渠',
  SMS_TEMPLATE_ID: '100001',
  SMS_ENDPOINT: platforms.url,
})
const production = useOwnWorld({ env: async () => getProduction() })
/** The same app with Tencent Captcha. */
const guarded = useOwnWorld({
  env: async () => ({
    ...getProduction(),
    TRUST_PROXY: '1',
    CAPTCHA_APP_ID: '190000001',
    CAPTCHA_APP_SECRET: 'captcha-secret',
    CAPTCHA_ENDPOINT: platforms.url,
  }),
})

let count = 0
const newPhone = () => `1380000${String(++count).padStart(4, '0')}`

describe('in production', () => {
  const solve = async () => {
    const { challenge, difficulty } = await production.visitor().call('GET /auth/challenge', {})
    return solveChallenge(challenge, difficulty)
  }
  const ask = (body: object) =>
    production.visitor().call('POST /auth/vcode', { body: { phone: newPhone(), ...body } })

  test('a code costs a challenge that was solved, each of which is good once', async () => {
    const ticket = await solve()
    const { challenge } = await production.visitor().call('GET /auth/challenge', {})
    const forged = ticket.replace(/^\d+/, (expires) => String(Number(expires) + 1))
    for (const refused of [{}, { ticket: 'dev' }, { ticket: `${challenge}.x` }, { ticket: forged }]) {
      expect((await expectCallError(ask(refused))).body.code).toBe('human_check_failed')
    }
    const answers = await Promise.allSettled([ask({ ticket }), ask({ ticket }), ask({ ticket })])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a code reaches a phone by Tencent Cloud, signed, and a refusal is told', async () => {
    const [ticket, phone] = [await solve(), newPhone()]
    await production.visitor().call('POST /auth/vcode', { body: { phone, ticket } })
    const call = platforms.sms.at(-1)!
    const { headers, body } = call
    expect(JSON.parse(body)).toEqual({
      PhoneNumberSet: [`+86${phone}`],
      SmsSdkAppId: '1400000000',
      SignName: '问渠',
      TemplateId: '100001',
      TemplateParamSet: [expect.stringMatching(/^\d{6}$/), '10'],
    })
    expect(headers).toMatchObject({ 'x-tc-action': 'SendSms', 'x-tc-version': '2021-01-11' })
    expect(headers.authorization).toBe(signAsTencent('sms', call))
    platforms.refuseSms('LimitExceeded.PhoneNumberDailyLimit')
    const refusedPhone = newPhone()
    const askAgain = async () => ask({ phone: refusedPhone, ticket: await solve() })
    const refused = await expectCallError(askAgain())
    expect([refused.status, refused.body.code]).toEqual([503, 'code_send_failed'])
    // The refused message counts for no limit, so that there is no pause.
    platforms.refuseSms('Ok')
    await askAgain()
    expect((await expectCallError(askAgain())).body.code).toBe('rate_limited')
  })
})

describe('with Tencent Captcha', () => {
  const ask = (body: object) =>
    guarded.visitor().call('POST /auth/vcode', { body: { phone: newPhone(), ...body } })
  const codeOf = async (body: object) => (await expectCallError(ask(body))).body.code

  test('a code is sent to who brings a ticket, which is good once and with its random string alone', async () => {
    for (const body of [
      {},
      { ticket: 'dev' },
      { ticket: 'forged-1', rand_str: '@abc' },
      { ticket: 'passed-1' },
    ])
      expect(await codeOf(body)).toBe('human_check_failed')
    const { challenge, difficulty } = await guarded.visitor().call('GET /auth/challenge', {})
    expect(await codeOf({ ticket: await solveChallenge(challenge, difficulty) })).toBe('human_check_failed')

    const sent = platforms.sms.length
    await guarded.visitor().fetch('/auth/vcode', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify({ phone: newPhone(), ticket: 'passed-2', rand_str: '@abc' }),
    })
    expect(platforms.sms).toHaveLength(sent + 1)
    expect(JSON.parse(platforms.captcha.at(-1)!.body)).toMatchObject({ UserIp: '203.0.113.9' })
    expect(await codeOf({ ticket: 'passed-2', rand_str: '@abc' })).toBe('human_check_failed')
    expect(platforms.sms).toHaveLength(sent + 1)
  })

  test('none is sent while nobody can say whether a person asks', async () => {
    expect(await codeOf({ ticket: 'down-1', rand_str: '@abc' })).toBe('code_send_failed')
  })

  test('pages may load its script, and those of other sites may not', async () => {
    const csp = async (site: typeof production) =>
      (await site.visitor().fetch('/login')).headers.get('Content-Security-Policy')
    expect(await csp(guarded)).toContain("script-src 'self' https://*.captcha.qcloud.com")
    expect(await csp(production)).not.toContain('captcha')
  })
})
