import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { solveChallenge } from '#web/accounts/auth/proofOfWork.ts'
import { CallError } from './client.ts'
import type { Client } from './client.ts'

/** Returns the newest code that was sent to an address by an app whose outbox is in `data_dir`. */
export async function getLoginCode(email: string, dataDir: string): Promise<string> {
  const dir = join(dataDir, 'outbox')
  const names = (await readdir(dir)).filter((file) => file.endsWith('.json'))
  for (const name of names.sort().reverse()) {
    const message = JSON.parse(await readFile(join(dir, name), 'utf8')) as { to: string; code: string }
    if (message.to === email) return message.code
  }
  throw new Error(`no code was sent to ${email}`)
}

let signInCount = 0

/**
 * Signs a browser in to the account of an address. Where the human check is on, it solves a challenge as a page does. To an app
 * behind a proxy each sign-in comes from a network of its own.
 */
export async function signIn(client: Client, email: string, dataDir: string): Promise<void> {
  const network = ++signInCount
  const headers = { 'X-Forwarded-For': `10.${network >> 8}.${network & 255}.1` }
  const requestCode = (ticket: { ticket?: string }) =>
    client.call('POST /auth/vcode', { body: { email, ...ticket } }, { headers })
  await requestCode({}).catch(async (error: unknown) => {
    if (!(error instanceof CallError) || error.body.code !== 'human_check_failed') throw error
    const { challenge, difficulty } = await client.call('GET /auth/challenge', {})
    await requestCode({ ticket: await solveChallenge(challenge, difficulty) })
  })
  const code = await getLoginCode(email, dataDir)
  await client.call('POST /login', { body: { email, code } }, { headers })
}

/** Lets time pass for the codes that were sent, and for the limits on them: `2 minutes`. */
export async function letTimePass(db: Db, interval: string): Promise<void> {
  await db.execute(sql`UPDATE login_codes SET created_at = created_at - ${interval}::interval`)
  await db.execute(sql`UPDATE limit_uses SET used_at = used_at - ${interval}::interval`)
}

/** Returns the token of a browser's session. */
export const getSessionToken = ({ cookie }: Client): string => /wenqu_session=([\w-]+)/.exec(cookie)![1]!
