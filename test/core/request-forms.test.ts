import { Hono } from 'hono'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { parseCallKey } from '#contract/call.ts'
import type { Call, CallKey } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { AppError } from '#server/core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import { toJsonSchema } from '#server/core/openapi.ts'
import { readInput } from '#server/core/request/request.ts'
import { makeFields } from './request-values.ts'
import type { Fields, JsonSchema } from './request-values.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

// Every call × the ways in which clients write a request: each is read, or refused for a reason that stands here. Forms are for the
// one function that reads requests; that each call's requests go through it, one of each shows over HTTP.
const forms = [
  'as JSON',
  'required fields alone',
  'empty',
  'null',
  'as text',
  'as text/plain',
  'as +json',
  'urlencoded',
  'multipart',
  'in the other place',
  'with extra fields',
] as const
type Form = (typeof forms)[number]

const DELETES = 'a call that deletes does not take an empty field for one that is absent'
const REFUSED: Partial<Record<CallKey, Partial<Record<Form, string>>>> = {
  'DELETE /api/chat/messages': {
    'required fields alone': 'nothing is deleted that is not named',
    empty: DELETES,
  },
  'DELETE /api/glossary/{id}': { empty: DELETES },
}

const every = Object.values(calls)
  .flatMap((feature) => Object.entries(feature) as [CallKey, Call][])
  // The server reads those bodies as signed bytes.
  .filter(([, call]) => !call.webhook)

const original = new Map(every)

type ReadCall = Call & { body?: z.ZodObject; chatbot?: string }
const CHATBOTS = ['dati', `zhiku-${createId()}`, `block-${createId()}`, 'compare', 'fanyi']
/** Each call by its name; one whose body has a list of fields for each channel as a question to each of them. */
const named = every.flatMap(([key, call]): [string, CallKey, ReadCall][] => {
  const { body, ...others } = call
  if (!body || !('options' in body)) return [[key, key, { ...others, ...(body ? { body } : {}) }]]
  return CHATBOTS.map((chatbot) => [
    `${key} (${chatbot.split('-')[0]})`,
    key,
    {
      ...others,
      body: body.options.find(({ shape }) => shape.chatbot!.safeParse(chatbot).success)!,
      chatbot,
    },
  ])
})

/** Values of calls in which a field of the same name means something else. */
const OWN_VALUES: Partial<Record<CallKey, Record<string, unknown>>> = {
  'POST /auth/vcode': { phone: undefined },
  'POST /login': { phone: undefined },
  'POST /api/chat/create': { regen: false, edit: false, continue: false },
  'GET /api/chat/session/link': { message_ids: `${createId()},${createId()}` },
  ...Object.fromEntries(Object.keys(calls.compare).map((key) => [key, { chatbot: `compare-${createId()}` }])),
}
/** Fields that the schema leaves optional, but the call needs. */
const WANTED: Partial<Record<CallKey, string[]>> = {
  'POST /auth/vcode': ['email'],
  'POST /login': ['email'],
}

const describePart = (part: z.ZodObject | undefined): JsonSchema => (part ? toJsonSchema(part, 'input') : {})

function writeAsText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(writeAsText)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, writeAsText(one)]))
  return value
}

/** Lists the fields of a form: `settings[chat][welcome_prompt]`, `emails[]`. */
function listEntries(fields: Fields, parent = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const path = parent ? `${parent}[${name}]` : name
    if (value === undefined || value === null) return []
    if (Array.isArray(value))
      return value.flatMap((item, n): [string, string][] =>
        typeof item === 'object'
          ? listEntries(item as Fields, `${path}[${n}]`)
          : [[`${path}[]`, String(item)]],
      )
    if (typeof value === 'object') return listEntries(value as Fields, path)
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]]
  })
}

const toQuery = (fields: Fields): string => new URLSearchParams(listEntries(fields)).toString()
function toMultipart(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of listEntries(fields)) form.append(name, value)
  return form
}

/** Builds a request of a call in a form; null where the call has no such request. */
function build(key: CallKey, call: ReadCall, form: Form): { path: string; init: RequestInit } | null {
  const { method, path: template } = parseCallKey(key)
  const path = template
    .replaceAll('{agent}', 'agent')
    .replaceAll('{type}', 'email')
    .replace(/\{\w+\}/g, createId())
  const described = describePart(call.body ?? call.query)
  const schema = { ...described, required: [...(described.required ?? []), ...(WANTED[key] ?? [])] }
  const fill = (which: 'all' | 'required'): Fields => {
    const fields = makeFields(schema, which)
    const { chatbot } = call
    const ownValues = { ...OWN_VALUES[key], ...(chatbot === undefined ? {} : { chatbot }) }
    const own = Object.entries(ownValues).filter(([name]) => which === 'all' || name in fields)
    return Object.fromEntries(
      Object.entries({ ...fields, ...Object.fromEntries(own) }).filter(([, value]) => value !== undefined),
    )
  }
  const all = fill('all')
  const optional = Object.keys(all).filter((name) => !schema.required.includes(name))
  const blank = (value: unknown): Fields => ({
    ...fill('required'),
    ...Object.fromEntries(optional.map((name) => [name, value])),
  })
  const send = (fields: Fields) => {
    if (!call.body) return { path: `${path}?${toQuery(fields)}`, init: { method } }
    return {
      path,
      init: { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields) },
    }
  }
  const sendBody = (body: string | FormData, type?: string) =>
    method === 'GET' || (!call.body && !call.query)
      ? null
      : { path, init: { method, body, ...(type ? { headers: { 'Content-Type': type } } : {}) } }
  switch (form) {
    case 'as JSON':
      return send(all)
    case 'required fields alone':
      return send(fill('required'))
    case 'empty':
      return send(blank(''))
    case 'null':
      return call.body ? send(blank(null)) : null
    case 'as text':
      return send(writeAsText(all) as Fields)
    case 'as text/plain':
      return sendBody(JSON.stringify(all), 'text/plain;charset=UTF-8')
    case 'as +json':
      return sendBody(JSON.stringify(all), 'application/vnd.api+json')
    case 'urlencoded':
      return sendBody(toQuery(all), 'application/x-www-form-urlencoded')
    case 'multipart':
      return sendBody(toMultipart(all))
    case 'in the other place':
      return call.body
        ? { path: `${path}?${toQuery(all)}`, init: { method } }
        : sendBody(JSON.stringify(all), 'application/json')
    case 'with extra fields':
      return send({ ...all, _token: 'x', unknown: [1, { a: 'b' }] })
  }
}

const INVALID = ['invalid_input', 'bad_request', 'unsupported_media']

/** Reads a request as the server does, and returns the error of one that cannot be read. */
async function readRequest(key: CallKey, call: Call, { path, init }: { path: string; init: RequestInit }) {
  let failure: AppError | undefined
  const app = new Hono()
  app.all(parseCallKey(key).path.replace(/\{(\w+)\}/g, ':$1'), async (c) => {
    await readInput(c, call, () => {}).catch((error: AppError) => void (failure = error))
    return c.body(null)
  })
  expect((await app.request(path, init)).status).toBe(200)
  return failure
}

describe('is read in each form', () => {
  test.each(named)('%s', async (_, key, call) => {
    const refused: Record<string, unknown> = {}
    for (const form of forms) {
      const request = build(key, call, form)
      const failure = request && (await readRequest(key, original.get(key)!, request))
      if (!failure) continue
      expect(failure).toBeInstanceOf(AppError)
      expect(Object.keys(failure.fields ?? {})).not.toContain('')
      if (INVALID.includes(failure.code)) refused[form] = failure.fields ?? failure.code
    }
    expect(Object.keys(refused), JSON.stringify(refused)).toEqual(Object.keys(REFUSED[key] ?? {}))
  })
})

const world = useWorld()
let signedIn: Client
let requests = 0
beforeAll(async () => void (signedIn = await world.user()))

/** Calls that end the caller's sign-in, or the account. */
const LEAVES = /^(?:POST \/logout|POST \/login|POST \/auth\/|POST \/api\/user\/account\/delete)/

describe('is there over HTTP, with a slash at the end', () => {
  test.each(named)('%s', async (_, key, call) => {
    const client = LEAVES.test(key) ? await world.user() : signedIn
    const { cookie } = client
    const { path, init } = build(key, call, 'as JSON')!
    // Other tests share the limits by address.
    const headers = new Headers(init.headers)
    headers.set('X-Forwarded-For', `198.51.100.${++requests % 250}`)
    const response = await client.fetch(path.replace(/(?=\?|$)/, '/'), { ...init, headers })
    client.cookie = cookie
    const text = await response.text()
    expect(response.status, text).not.toBe(405)
    if (response.ok) return
    expect(response.headers.get('Content-Type'), text).toContain('application/json')
    const { code } = JSON.parse(text) as { code: string }
    expect([...INVALID, 'unauthorized'], text).not.toContain(code)
  })
})
