import { EventSourceParserStream } from 'eventsource-parser/stream'
import { sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import type { ChatCompletion, ChatCompletionUsage } from '#contract/gateway/completion-answers.ts'
import type { OpenAiError } from '#contract/gateway/errors.ts'
import type { Client } from '../world/client.ts'
import { useResource } from '../world/use-world.ts'
import type { World } from '../world/world.ts'

/** A chunk of a stream as OpenAI documents it: https://platform.openai.com/docs/api-reference/chat-streaming */
export type Chunk = {
  id: string
  object: string
  created: number
  model: string
  choices: {
    index: number
    delta: {
      role?: string
      content?: string
      reasoning_content?: string
      tool_calls?: {
        index: number
        id?: string
        type?: string
        function: { name?: string; arguments: string }
      }[]
    }
    finish_reason: string | null
    logprobs?: { content: object[] } | null
  }[]
  usage?: ChatCompletionUsage | null
}

/** A stream, read to its end. */
export type CompletionStream = {
  chunks: Chunk[]
  text: string
  error: OpenAiError['error'] | null
  done: boolean
}

type PostOptions = { headers?: Record<string, string>; signal?: AbortSignal; path?: string }

/** A program that holds an API key. */
export type Caller = {
  user: Client
  key_id: string
  /** The Authorization header that it sends. */
  authorization: string
  /** The key itself, for other clients. */
  key: string
  /** Returns the raw answer to a completion. */
  post(body: object | string, extra?: PostOptions): Promise<Response>
  /** Makes a completion without a stream; throws when it fails. */
  complete(body: object, extra?: PostOptions): Promise<ChatCompletion>
  /** Makes a completion in a stream. */
  stream(body: object, extra?: PostOptions): Promise<CompletionStream>
  get(path: string): Promise<Response>
}

export const userMessages = (content: string) => [{ role: 'user', content }]

/** Creates a program with a key of these settings, for a new account unless one is given. */
export async function createCaller(
  world: Pick<World, 'url' | 'user'>,
  settings: object = {},
  account?: Client,
): Promise<Caller> {
  const user = account ?? (await world.user())
  const key = await user.call('POST /api/api_keys', { body: { name: '程序', ...settings } })
  const authorization = `Bearer ${key.raw_value}`
  const caller: Caller = {
    user,
    key_id: key.uuid,
    authorization,
    key: key.raw_value ?? '',
    post: (body, { headers = {}, signal, path = '/api/v1/chat/completions' } = {}) =>
      fetch(world.url + path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal ? { signal } : {}),
      }),
    async complete(body, extra) {
      const response = await caller.post(body, extra)
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return (await response.json()) as ChatCompletion
    },
    async stream(body, extra) {
      const response = await caller.post({ ...body, stream: true }, extra)
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return readStream(response)
    },
    get: (path) => fetch(world.url + path, { headers: { authorization } }),
  }
  return caller
}

/** Creates the program of one file's tests: a key of these settings of a new account. */
export const useCaller = (world: World, settings: object = {}): Caller =>
  useResource(() => createCaller(world, settings))

/** Reads an event stream to its end. */
export async function readStream(
  response: Response,
  onChunk?: (chunk: Chunk) => void,
): Promise<CompletionStream> {
  const streamed: CompletionStream = { chunks: [], text: '', error: null, done: false }
  const events = response
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) {
    if (data === '[DONE]') {
      streamed.done = true
      continue
    }
    const event = JSON.parse(data) as Chunk | OpenAiError
    if ('error' in event) streamed.error = event.error
    else {
      streamed.chunks.push(event)
      streamed.text += event.choices[0]?.delta.content ?? ''
      onChunk?.(event)
    }
  }
  return streamed
}

/** Reads the error answer that a call is expected to get. */
export async function readError(response: Response): Promise<OpenAiError['error'] & { status: number }> {
  const { error } = (await response.json()) as OpenAiError
  return { status: response.status, ...error }
}

export const getRunId = ({ id }: { id: string }): string => id.replace('chatcmpl-', '')

/** Returns the charge for a run; undefined when there is none. */
export async function getBill(world: World, runId: string) {
  const { rows } = await world.db().execute<{ amount: string; output_tokens: number; usage_source: string }>(
    sql`
        SELECT amount::text, output_tokens, usage_source FROM runs WHERE id = ${runId} AND usage_source IS NOT NULL`,
  )
  return rows[0]
}

/** Returns the runs of a key, oldest first, once all of them have ended. */
export async function waitForRuns(world: World, { key_id }: Caller) {
  const listRuns = () =>
    world
      .db()
      .execute<{ id: string; state: string; code: string | null; kind: string }>(
        sql`SELECT id, state, code, kind FROM runs WHERE subject_id = ${key_id} ORDER BY id`,
      )
  return vi.waitFor(
    async () => {
      const { rows } = await listRuns()
      expect(rows.filter(({ state }) => state === 'running')).toEqual([])
      return rows
    },
    { timeout: 45_000, interval: 20 },
  )
}
