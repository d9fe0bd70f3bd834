import { sql } from 'drizzle-orm'
import OpenAI from 'openai'
import type { Client } from '../../world/client.ts'
import { createWav } from '../../world/upstream/operations.ts'
import type { World } from '../../world/world.ts'

/** A program that holds an API key and makes calls besides chat. */
export type OperationCaller = {
  user: Client
  key_id: string
  /** OpenAI's own client. */
  openai: OpenAI
  /** Returns the raw answer to a call with a JSON body. */
  post(path: string, body: object | string, extra?: RequestInit): Promise<Response>
  /** Returns the raw answer to a form. */
  upload(fields: Record<string, string | Blob>, extra?: RequestInit): Promise<Response>
}

/** Creates a program with a key of these settings, for a new account unless one is given. */
export async function createOperationCaller(world: World, settings: object = {}, account?: Client) {
  const user = account ?? (await world.user())
  const key = await user.call('POST /api/api_keys', { body: { name: '程序', ...settings } })
  const authorization = `Bearer ${key.raw_value}`
  const send = (path: string, init: RequestInit, extra: RequestInit = {}) =>
    fetch(world.url + path, {
      method: 'POST',
      ...init,
      ...extra,
      headers: { authorization, ...(init.headers as object), ...(extra.headers as object) },
    })
  const caller: OperationCaller = {
    user,
    key_id: key.uuid,
    openai: new OpenAI({ apiKey: key.raw_value ?? '', baseURL: `${world.url}/api/v1`, maxRetries: 0 }),
    post: (path, body, extra) =>
      send(
        path,
        {
          headers: { 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        },
        extra,
      ),
    upload(fields, extra) {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      return send('/api/v1/audio/transcriptions', { body: form }, extra)
    },
  }
  return caller
}

export const createRecording = (seconds: number): File =>
  new File([createWav(seconds)], '录音.wav', { type: 'audio/wav' })

/** Returns the newest bill of an account, with the state of its run; undefined without a charge. */
export async function getNewestBill(world: World, { key_id }: OperationCaller) {
  const { rows } = await world.db().execute<{
    run_id: string
    amount: string
    platform: string
    input_tokens: number
    units: number
    times: number
    usage_source: string
    flagged: string | null
  }>(sql`
    SELECT id AS run_id, amount::text, platform, input_tokens, units, times, usage_source, flagged
    FROM runs WHERE subject_id = ${key_id} AND usage_source IS NOT NULL ORDER BY id DESC LIMIT 1`)
  return rows[0]
}
