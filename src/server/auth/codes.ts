import { CODE_RESEND_S, CODE_TRIES, CODE_TTL_S } from '#contract/auth.ts'
import { AppError } from '../core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Mailer } from '../core/mail.ts'
import { hashWithSecret, createCode } from '../core/secrets.ts'
import { countCodes, deleteCode, insertCode, tryCode } from './store.ts'
import type { CodeCounts } from './store.ts'

const TARGET_HOUR = 6
const TARGET_DAY = 20
const CLIENT_HOUR = 30

type Options = { db: Db; mail: Mailer; app_secret: string }

/** Sign-in codes: sent, limited for each target and client, tried at most five times, used once. */
export function createLoginCodes({ db, mail, app_secret }: Options) {
  const hashCode = (target: string, code: string) => hashWithSecret(app_secret, 'code', target, code)
  return {
    /** Sends a new code, which takes the place of earlier ones. Throws AppError rate_limited or code_send_failed. */
    async send(email: string, client: string): Promise<void> {
      const [id, code] = [createId(), createCode()]
      const client_hash = hashWithSecret(app_secret, 'client', client)
      await db.transaction(async (tx) => {
        const wait_s = secondsToNextCode(await countCodes(tx, email, client_hash))
        if (wait_s > 0) throw new AppError('rate_limited', { retry_after: wait_s })
        const code_hash = hashCode(email, code)
        await insertCode(tx, { id, target: email, code_hash, client_hash, ttl_s: CODE_TTL_S })
      })
      try {
        await mail.send({
          to: email,
          channel: 'email',
          subject: '问渠登录验证码',
          text: formatCodeMail(code),
          code,
        })
      } catch (cause) {
        await deleteCode(db, id)
        throw new AppError('code_send_failed', { cause })
      }
    },

    /** One try. Throws AppError code_invalid or code_tries unless the code is right; a right one is used up. */
    async verify(email: string, code: string): Promise<void> {
      const result = await tryCode(db, email, hashCode(email, code), CODE_TRIES)
      if (result === 'spent') throw new AppError('code_tries')
      if (result !== 'right') throw new AppError('code_invalid')
    },
  }
}

/** Seconds until the next code may be asked for. */
function secondsToNextCode({ target_hour, target_day, client_hour, since_last_s }: CodeCounts): number {
  if (target_day >= TARGET_DAY) return 86_400
  if (target_hour >= TARGET_HOUR || client_hour >= CLIENT_HOUR) return 3_600
  return since_last_s === null ? 0 : CODE_RESEND_S - since_last_s
}

const formatCodeMail = (code: string): string =>
  `您的登录验证码是 ${code}，${CODE_TTL_S / 60} 分钟内有效。\n\n如果不是您本人操作，请忽略这封邮件，并且不要把验证码告诉任何人。\n\n问渠`
