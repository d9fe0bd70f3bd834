import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '#server/core/app-error.ts'
import type { CaptchaConfig, Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import { asString, getField } from '#server/core/json.ts'
import { hashWithSecret } from '#server/core/secrets.ts'
import { callTencentCloud } from '#server/core/tencent-cloud.ts'
import { consumeChallenge } from './store.ts'

/** Leading zero bits of a solution's hash: some 30,000 tries, a fraction of a second in a browser. */
const DIFFICULTY_BITS = 15
const CHALLENGE_S = 600
/** Accepted outside production, for programs and tests. */
const DEV_TICKET = 'dev'

/** A browser's proof: the solution of a challenge, or a captcha's ticket with `rand_str`. `client`: its address. */
export type HumanProof = { ticket: string | undefined; rand_str: string | undefined; client: string }

/**
 * The check before a code is sent: Tencent Captcha if configured, else a proof of work, which people do not notice, but senders
 * of thousands do.
 */
export function createHumanCheck({ db, config }: { db: Db; config: Config }) {
  const { app_secret, captcha } = config
  const sign = (challenge: string): string => hashWithSecret(app_secret, 'challenge', challenge)

  const isSolved = async (ticket: string): Promise<boolean> => {
    const [expires = '', salt = '', mac = ''] = ticket.split('.')
    const right = sign(`${expires}.${salt}`)
    const isOurs = mac.length === right.length && timingSafeEqual(Buffer.from(mac), Buffer.from(right))
    if (!isOurs || Number(expires) * 1000 < Date.now() || countZeroBits(ticket) < DIFFICULTY_BITS)
      return false
    return consumeChallenge(db, mac, Number(expires))
  }

  return {
    createChallenge() {
      const part = `${Math.floor(Date.now() / 1000) + CHALLENGE_S}.${randomBytes(12).toString('base64url')}`
      return {
        challenge: `${part}.${sign(part)}`,
        difficulty: DIFFICULTY_BITS,
      }
    },

    /** Consumes a proof. Throws AppError human_check_failed, or code_send_failed if the captcha service is unavailable. */
    async verify({ ticket, rand_str, client }: HumanProof): Promise<void> {
      if (config.environment !== 'production' && (!ticket || ticket === DEV_TICKET)) return
      const isHuman =
        ticket !== undefined &&
        (captcha
          ? await isCaptchaSolved(captcha, { ticket, rand_str, client }).catch(failToSend)
          : await isSolved(ticket))
      if (!isHuman) throw new AppError('human_check_failed')
    },
  }
}

/** Without the service nobody can tell whether a person asks. */
const failToSend = (cause: unknown): never => {
  throw new AppError('code_send_failed', { cause })
}

/** CaptchaCode of a valid ticket in DescribeCaptchaResult, which accepts each ticket once. */
const CAPTCHA_OK = 1

/** https://cloud.tencent.com/document/api/1110/36926 */
async function isCaptchaSolved(
  { app_id, app_secret, endpoint, ...keys }: CaptchaConfig,
  { ticket, rand_str, client }: HumanProof,
): Promise<boolean> {
  const call = {
    service: 'captcha',
    action: 'DescribeCaptchaResult',
    version: '2019-07-22',
    region: null,
    endpoint,
  } as const
  const answer = await callTencentCloud(keys, call, {
    CaptchaType: 9,
    Ticket: ticket,
    Randstr: rand_str ?? '',
    // An IPv6 client is known by its network.
    UserIp: client.replace(/\/64$/, ''),
    CaptchaAppId: Number(app_id),
    AppSecretKey: app_secret,
  })
  const refusal = getField(getField(answer, 'Error'), 'Code')
  if (refusal !== undefined) throw new Error(`captcha refused the call: ${asString(refusal)}`)
  return getField(answer, 'CaptchaCode') === CAPTCHA_OK
}

function countZeroBits(text: string): number {
  const head = createHash('sha256').update(text).digest().readUInt32BE()
  return Math.clz32(head)
}
