import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import { hashWithSecret } from '#server/core/secrets.ts'
import { consumeChallenge } from './store.ts'

/** Zero bits that a solution's hash begins with: some 30,000 tries, a fraction of a second in a browser. */
const DIFFICULTY_BITS = 15
const CHALLENGE_S = 600
/** What passes outside production, for programs and tests. */
const DEV_TICKET = 'dev'

/** What stands before a code is sent: work for the browser, of which people notice nothing, and who asks for thousands does. */
export function createHumanCheck({ db, config }: { db: Db; config: Config }) {
  const { app_secret } = config
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

    /** Uses a proof up. Throws AppError human_check_failed. */
    async verify(ticket: string | undefined): Promise<void> {
      if (config.environment !== 'production' && (!ticket || ticket === DEV_TICKET)) return
      if (!ticket || !(await isSolved(ticket))) throw new AppError('human_check_failed')
    },
  }
}

function countZeroBits(text: string): number {
  const head = createHash('sha256').update(text).digest().readUInt32BE()
  return Math.clz32(head)
}
