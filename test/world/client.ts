import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { EventSourceMessage } from 'eventsource-parser'
import { z } from 'zod'
import { calls } from '#contract/calls.ts'
import type { AllCalls } from '#contract/calls.ts'
import type { Call, CallKey, CallResponse, CallRequest } from '#contract/call.ts'
import { buildCallUrl } from '#web/core/api.ts'

type Key = keyof AllCalls & CallKey
const everyCall = Object.assign({}, ...Object.values(calls)) as Record<CallKey, Call>
type CallExtras = { headers?: Record<string, string>; signal?: AbortSignal }

/** A browser as the server sees it: keeps its cookies, sends X-Requested-With. */
export type Client = {
  /** In the form of the header; setting it replaces all of them. */
  cookie: string
  /** Makes a call of the contract; throws with the status and body of an error answer. */
  call<K extends Key>(
    key: K,
    sending: CallRequest<AllCalls[K]>,
    extra?: CallExtras,
  ): Promise<CallResponse<AllCalls[K]>>
  /** Returns the raw answer to any request. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Yields the events of a turn's answer until the stream ends. */
  events(chatId: string, extra?: CallExtras): AsyncGenerator<EventSourceMessage>
  /** Asks a question and returns the whole text that streams in, with the way it ended. */
  ask(prompt: string, more?: object): Promise<{ chat_id: string; sess_id: string; text: string; end: string }>
}

type ErrorBody = { message: string; code: string; request_id: string; errors?: Record<string, string> }

/** The error answer of a call. */
export class CallError extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: Headers

  constructor(status: number, body: ErrorBody, headers: Headers) {
    super(`${status} ${body.code}: ${body.message}`)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** Creates a client; `settle` is awaited after each answer of a call. */
export function createClient(url: () => string, settle: () => Promise<void> = async () => {}): Client {
  const cookies = new Map<string, string>()
  const client: Client = {
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(text) {
      cookies.clear()
      for (const pair of text.split('; ').filter(Boolean)) setCookie(pair)
    },
    async fetch(path, init = {}) {
      const headers = new Headers(init.headers)
      if (client.cookie) headers.set('Cookie', client.cookie)
      if (!headers.has('X-Requested-With')) headers.set('X-Requested-With', 'XMLHttpRequest')
      const response = await fetch(url() + path, { redirect: 'manual', ...init, headers })
      for (const cookie of response.headers.getSetCookie()) setCookie(cookie.split(';')[0]!)
      return response
    },
    async call(key, sending, { headers = {}, signal } = {}) {
      const { body } = sending as { body?: unknown }
      const response = await client.fetch(buildCallUrl(key, sending as Parameters<typeof buildCallUrl>[1]), {
        method: key.slice(0, key.indexOf(' ')),
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      })
      const text = await response.text()
      await settle()
      if (!response.ok) throw new CallError(response.status, JSON.parse(text), response.headers)
      return text ? readAnswer(key, JSON.parse(text)) : undefined
    },
    async *events(chatId, { headers = {}, signal } = {}) {
      const response = await client.fetch(`/api/chat/completions?chat_id=${chatId}`, {
        headers,
        ...(signal ? { signal } : {}),
      })
      if (!response.ok) {
        throw new CallError(response.status, (await response.json()) as ErrorBody, response.headers)
      }
      const stream = response
        .body!.pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream())
      yield* stream
    },
    async ask(prompt, more = {}) {
      const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt, ...more } })
      let [text, end] = ['', 'cut']
      for await (const { data, event } of client.events(chat_message.chat_id)) {
        if (event === 'error' || data === '[DONE]') end = data
        else {
          const part = JSON.parse(data) as { delta_content?: string; replace?: true }
          text = part.replace ? (part.delta_content ?? '') : text + (part.delta_content ?? '')
        }
      }
      return { chat_id: chat_message.chat_id, sess_id: chat_message.sess_id, text, end }
    },
  }
  function setCookie(pair: string): void {
    const [name = '', value = ''] = pair.split('=')
    if (value) cookies.set(name, value)
    else cookies.delete(name)
  }
  return client
}

/** Returns an answer. Throws where it differs from the contract. */
function readAnswer<T>(key: CallKey, answer: T): T {
  const { response } = everyCall[key]!
  if (response instanceof z.ZodType) response.parse(answer)
  return answer
}

/** Returns the error answer that a call is expected to get; fails when it gets none. */
export async function expectCallError(call: Promise<unknown>): Promise<CallError> {
  const outcome = await call.catch((reason: unknown) => reason)
  if (outcome instanceof CallError) return outcome
  throw new Error(`expected an error answer, got ${String(outcome)}`)
}

/** Returns a conversation as `role: text` lines; the current one without a sess_id. */
export async function getMessageLines(client: Client, sessId?: string): Promise<string[]> {
  const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id: sessId, size: 100 } })
  return messages.map(({ role, text }) => `${role}: ${text}`)
}
