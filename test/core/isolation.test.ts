import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { WIDGET_HEADER } from '#contract/agents/widget-visitor.ts'
import { getBodyShape, parseCallKey } from '#contract/call.ts'
import type { BodySchema, Call, CallKey } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { gatewayCallList } from '#contract/gateway/calls.ts'
import { createId } from '#server/core/ids.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import { createCaller, userMessages, waitForRuns } from '../gateway/caller.ts'
import type { Caller } from '../gateway/caller.ts'
import { join } from '../organizations/organization.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

// Every call that takes an id × every id of the owner × everybody else: the answer is that for an id that never existed, and
// nothing of the owner's has changed.

const world = useWorld()

/** The ids of everything that the owner has. */
type Ids = Awaited<ReturnType<typeof createIds>>
type Init = { method: string; headers?: Record<string, string>; body?: string }
/** Makes a request as one of the others. */
type Send = (path: string, init: Init) => Promise<Response>

const WHOLE_UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

let owner: Client
let ids: Ids
let before: string[]
/** This key is used here, and its use is recorded. */
let sibling: Caller
const principals: Record<string, Send> = {}

let addresses = 0
/** Calls without a token make a new visitor each time, of whom one address may have only a few. */
const sendWithToken =
  (token: string): Send =>
  (path, init) => {
    const address = `192.0.2.${++addresses % 250}`
    const headers = { ...init.headers, Authorization: `Bearer ${token}`, 'x-forwarded-for': address }
    return fetch(world.url + path, { ...init, headers })
  }

/** For use in a hook, where `expect.poll` is not allowed. */
const WAIT = { timeout: 45_000 }

async function createIds() {
  world.upstream.script('scripted', { text: '我的回答' })
  const { sess_id, chat_id } = await owner.ask('我的问题')
  const { messages } = await owner.call('GET /api/chat/messages', { query: { sess_id } })
  const { share } = await owner.call('GET /api/chat/session/link', { query: { sess_id } })
  const { folder } = await owner.call('POST /api/chat/folders', { body: { name: '我的' } })
  await owner.call('POST /api/chat/sessions/move', { body: { sess_ids: [sess_id], folder_id: folder.id } })
  const prompt = await owner.call('POST /api/chat/prompts', { body: { title: '我的', text: '我的' } })
  const provisionKey = await owner.call('POST /api/provision_keys', { body: { name: '我的' } })
  const block = await upload(world, owner, { name: '我的.md', content: '我的' })
  await waitUntilRead(owner, block.id)
  const source = await upload(world, owner, { name: '我的.md', content: '我的源', channel: 'zhiku' })
  const embeds = [{ id: source.id }]
  const agent = await owner.call('POST /api/agent', { body: { name: '我的', embeds } })
  const draft = await owner.call('POST /api/agent/draft', { body: { agent: agent.uuid } })
  await vi.waitFor(async () => {
    const { status } = await owner.call('GET /api/agent/{id}/status', { params: { id: agent.uuid } })
    expect(status).not.toBe(1)
  }, WAIT)
  const { session } = await owner.call('POST /api/chat/session/new', { body: { chatbot: 'compare' } })
  const comparison = `compare-${session.id}`
  const compared = await owner.ask('我的问题', { chatbot: comparison, models: ['scripted', 'thinker'] })
  await owner.call('POST /api/compare/votes', { body: { chat_id: compared.chat_id, winner: 'tie' } })
  const translation = { block: block.id, model: 'scripted', target_lang: 'en', biz_type: 'file' } as const
  const { chat_id: task } = await owner.call('POST /api/translate', { body: translation })
  await vi.waitFor(async () => {
    const { status } = await owner.call('GET /api/task/{id}/result', { params: { id: task } })
    expect(status).toBeGreaterThan(1)
  }, WAIT)
  const translated = await owner.call('POST /api/translate', {
    body: { prompt: '我的问题', model: 'scripted', target_lang: 'en' },
  })
  const query = { chat_id: translated.chat_id, chatbot: 'fanyi' }
  await owner.call('POST /api/chat/completions', { query })
  const { data: term } = await owner.call('POST /api/glossary', {
    body: { target_lang: 'en', term: '我的', translation: 'mine' },
  })
  const order = await owner.call('POST /api/credit/orders', { body: { plan_id: 'coins-10' } })
  // The job notes each minute that it has queried an unpaid order.
  await owner.call('POST /api/credit/sandbox/pay', { body: { order_id: order.id } })
  const organization = await owner.call('POST /api/organization', { body: { name: '我的' } })
  const params = { id: organization.uuid }
  await owner.call('POST /api/agent/{id}/link', { params: { id: agent.uuid }, body: { visible: 1 } })
  const { data: sharedTerm } = await owner.call('POST /api/glossary', {
    body: { target_lang: 'en', term: '我们的', translation: 'ours', scope: 'organization' },
  })
  const emails = ['invited@example.com']
  await owner.call('POST /api/organization/{id}/members/invite', { params, body: { emails } })
  const invited = await owner.call('GET /api/organization/{id}/invitations', { params })
  const { uuid: member } = await owner.call('GET /api/user/info', {})
  const program = await createCaller(world, {}, owner)
  const asked = { model: 'scripted', messages: userMessages('我的') }
  const completion = await program.complete({ ...asked, background: true })
  await waitForRuns(world, program)
  const response = await program.post({ model: 'scripted', input: '我的' }, { path: '/api/v1/responses' })
  sibling = await createCaller(world, {}, owner)
  principals['another key of the owner'] = sendWithToken(sibling.key)
  return {
    session: sess_id,
    folder: folder.id,
    turn: chat_id,
    question: messages[0]!.id,
    answer: messages[1]!.id,
    share: share.id,
    prompt: prompt.id,
    api_key: program.key_id,
    provision_key: provisionKey.uuid,
    block: block.id,
    md5: block.md5!,
    upload: block.url,
    source: source.id,
    agent: agent.uuid,
    draft: draft.data.uuid,
    comparison,
    compared_turn: compared.chat_id,
    task,
    translated_turn: translated.chat_id,
    term: term.id,
    shared_term: sharedTerm.id,
    order: order.id,
    organization: organization.uuid,
    member,
    invitation: invited.items[0]!.id,
    completion: completion.id,
    response: ((await response.json()) as { id: string }).id,
  }
}

/** Reads every row of the database that names the owner or something of theirs. */
async function readOwnRows(): Promise<string[]> {
  const { uuid } = await owner.call('GET /api/user/info', {})
  const names = [uuid, ...Object.values(ids)].map((id) => id.replace(/^[a-z]+[-_]/, ''))
  const tables = await world
    .db()
    .execute<{ name: string }>(
      sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
    )
  const rows: string[] = []
  for (const { name } of tables.rows) {
    const found = await world
      .db()
      .execute<{ row: string }>(sql`SELECT t::text AS row FROM ${sql.identifier(name)} t ORDER BY 1`)
    const own = found.rows.map(({ row }) => row).filter((row) => names.some((id) => row.includes(id)))
    rows.push(...own.filter((row) => !row.includes(sibling.key_id)).map((row) => `${name} ${row}`))
  }
  return rows
}

beforeAll(async () => {
  owner = await world.user()
  ids = await createIds()
  const stranger = await createCaller(world)
  // A former member of the owner's organization.
  const memberId = await join(world, owner, ids.organization, stranger.user)
  await owner.call('DELETE /api/organization/{id}/members/{userId}', {
    params: { id: ids.organization, userId: memberId },
  })
  const provisionKey = await stranger.user.call('POST /api/provision_keys', { body: { name: '别人的' } })
  const guest = world.visitor()
  for (const client of [stranger.user, guest]) await client.ask('别人的问题')
  principals['another user'] = (path, init) => stranger.user.fetch(path, init)
  const { uuid } = await stranger.user.call('POST /api/agent', { body: { name: '别人的', visible: 2 } })
  await stranger.user.call('PUT /api/agent/{id}/widget', { params: { id: uuid }, body: { enabled: true } })
  principals['a visitor of another user’s widget'] = (path, init) =>
    fetch(world.url + path, {
      ...init,
      headers: { ...init.headers, 'X-Requested-With': 'XMLHttpRequest', [WIDGET_HEADER]: uuid },
    })
  principals['a guest'] = (path, init) => guest.fetch(path, init)
  principals['an API key of another user'] = sendWithToken(stranger.key)
  principals['a provision key of another user'] = sendWithToken(provisionKey.raw_value!)
  before = await readOwnRows()
})

const messageIds = ['question', 'answer'] as const
/** Ids that few calls take: the others answer only a few requests a minute. */
const places: Partial<Record<keyof Ids, string>> = { shared_term: 'glossary', folder: 'folders' }
/** Lists the ids that a path can hold. */
const listPlainKinds = (key = '') =>
  (Object.keys(ids) as (keyof Ids)[]).filter((kind) => kind !== 'upload' && key.includes(places[kind] ?? ''))
/** Ids for each field; any other field with an id gets all of these. */
const kinds: Record<string, readonly (keyof Ids)[]> = {
  sess_id: ['session'],
  sess_ids: ['session'],
  folder_id: ['folder'],
  chat_id: ['turn', 'compared_turn'],
  chatbot: ['comparison'],
  block: ['block'],
  md5: ['md5'],
  embeds: ['source'],
  userId: ['member'],
  invitationId: ['invitation'],
  draft: ['draft', 'agent'],
  avatar: ['upload'],
  logo: ['upload'],
  message_id: messageIds,
  message_ids: messageIds,
  before: messageIds,
  after: messageIds,
  around: messageIds,
}
const isUuid = (schema: z.ZodType): boolean =>
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes('"uuid"')
/** Tells whether a chatbot names a comparison; other chatbots with an owner are tried by the ids that they name. */
const isComparison = (schema: z.ZodType): boolean =>
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes('"^compare')
/** Lists the fields of a part of a request that are ids with an owner: categories have none. */
const listIdFields = (part: BodySchema | undefined): [string, z.ZodType][] =>
  (Object.entries(part ? getBodyShape(part) : {}) as [string, z.ZodType][]).filter(
    ([name, schema]) =>
      name !== 'category_id' &&
      (/^(?:id|uuid|block|md5|avatar|logo)$|_ids?$/.test(name) || isUuid(schema) || isComparison(schema)),
  )

/** Other values that a body needs, or that would change something. */
const values = {
  prompt: '别人的',
  status: false,
  name: '别人的',
  title: '别人的',
  system_prompt: '别人的',
  channel: 'dati',
  size: 6,
  url: '/files/x',
  target_lang: 'en',
  biz_type: 'file',
  term: '别人的',
  translation: 'theirs',
  coins: 1,
  emails: ['theirs@example.com'],
}
const pickValues = (part: BodySchema | undefined) =>
  Object.entries(values).filter(([name]) => part && name in getBodyShape(part))
const variants: Partial<Record<CallKey, object[]>> = {
  'POST /api/chat/create': [
    {},
    { regen: true },
    { edit: true },
    { continue: true },
    { chatbot: 'compare', regen: true },
  ],
  'POST /api/chat/cancel': [{}, { model: 'scripted' }],
  'POST /api/compare/models': [{ model: 'scripted' }],
  'PUT /api/compare': [{ blind: true }],
  'POST /api/glossary': [{}, { scope: 'organization' }],
  'PUT /api/glossary/{id}': [{}, { scope: 'organization' }],
  'POST /api/chat/sessions/change': [{ action: 'archive' }, { action: 'delete' }],
  'POST /api/chat/sessions/move': [{ folder_id: null, sess_ids: [createId()] }],
  'PUT /api/chat/message/{id}/feedback': [{ rating: 'down' }],
  'POST /api/credit/sandbox/pay': [{ status: 'success' }],
  'POST /api/compare/estimate': [{ models: ['scripted'] }],
  'POST /api/compare/votes': [{ winner: 'scripted' }],
}
/** Other fields of the query that a call needs beside the id. */
const queries: Partial<Record<CallKey, object>> = {
  'GET /api/agent/{id}/passage': { block: createId(), chunk: 1 },
  'DELETE /api/glossary/{id}': { scope: 'organization' },
  'DELETE /api/compare/models': { model: 'scripted' },
  'GET /api/user/transactions': { channel: 'api' },
  'GET /api/user/transactions/export': { channel: 'api' },
}
/** Tells whether everybody with the link may make the call: read a share, or go on from it. */
const isOpen = (key: string, kind: keyof Ids): boolean =>
  kind === 'share' && ['GET /api/session/{id}/messages', 'POST /api/session/{id}/continue'].includes(key)

type Build = (id: string) => { path: string; init: Init }
/** A field with an id, and the ids to put there. */
type Case = { build: Build; kinds: readonly (keyof Ids)[] }

const json = (body: object) => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/** Puts the owner's ids into the other parameters of a path. */
const fillOthers = (path: string): string =>
  path
    .replace('/organization/{id}', `/organization/${ids.organization}`)
    .replace('{userId}', ids.member)
    .replace('{invitationId}', ids.invitation)

/** Lists the requests of a call, one for each field with an id. */
function listCases(key: CallKey, call: Call): Case[] {
  const { method, path } = parseCallKey(key)
  const listKinds = (name: string, schema: z.ZodType) =>
    (kinds[name] ?? listPlainKinds(key)).filter(
      (kind) => !isOpen(key, kind) && (!isUuid(schema) || WHOLE_UUID.test(ids[kind])),
    )
  return (['params', 'query', 'body'] as const).flatMap((part) =>
    listIdFields(call[part]).flatMap(([name, schema]) =>
      (variants[key] ?? [{}]).map((variant) => {
        const build: Build = (id) => {
          const filled = fillOthers(part === 'params' ? path.replace(`{${name}}`, id) : path)
          const value = name === 'embeds' ? [{ id }] : name === 'sess_ids' ? [id] : id
          const own = (at: typeof part) => (at === part ? { [name]: value } : {})
          const query = { ...Object.fromEntries(pickValues(call.query)), ...queries[key], ...own('query') }
          const body = { ...Object.fromEntries(pickValues(call.body)), ...variant, ...own('body') }
          return {
            path: `${filled}?${new URLSearchParams(query as Record<string, string>).toString()}`,
            init: { method, ...(call.body ? json(body) : {}) },
          }
        }
        return { build, kinds: listKinds(name, schema) }
      }),
    ),
  )
}

/** Creates an id of the same form that nothing has. */
function createUnknownId(id: string): string {
  const unknown = id.replace(UUID, createId())
  return unknown === id ? id.replace(/\w{8}$/, createId().slice(-8)) : unknown
}

async function readAnswer(send: Send, build: Build, id: string) {
  const { path, init } = build(id)
  const response = await send(path, init)
  const text = await response.text()
  return { request: build('…'), status: response.status, text: text.replaceAll(id, '').replace(UUID, '') }
}

/** Tells whether an answer refuses the id for a reason other than its form. A list after an unknown id may be empty. */
const isRefused = ({ request, status, text }: Awaited<ReturnType<typeof readAnswer>>): boolean =>
  [400, 401, 404].includes(status) ||
  (status === 403 && text.includes('"provision_key_refused"')) ||
  (status === 422 && !text.includes('"invalid_input"')) ||
  (status === 200 && request.init.method === 'GET')

async function expectUnknown(cases: readonly Case[]): Promise<void> {
  for (const send of Object.values(principals)) {
    for (const one of cases) {
      const [first = 'session'] = one.kinds
      const unknown = await readAnswer(send, one.build, createUnknownId(ids[first]))
      expect(unknown).toSatisfy(isRefused)
      // A caller without access gets the same answer for all kinds: one of them is enough.
      for (const kind of [401, 403].includes(unknown.status) ? [first] : one.kinds)
        expect(await readAnswer(send, one.build, ids[kind]), kind).toEqual(unknown)
    }
  }
}

const every = Object.values(calls).flatMap((feature) => Object.entries(feature)) as [CallKey, Call][]
const withIds = every.filter(([, { params, query, body }]) =>
  [params, query, body].some((part) => listIdFields(part).length),
)

describe('an id of somebody else is one that never was', () => {
  test.each(withIds)('%s', async (key, call) => {
    await expectUnknown(listCases(key, call))
  })
})

const gatewayCases = gatewayCallList
  .filter(({ path }) => path.includes('{id}'))
  .map(({ key, method, url }): [string, Build] => [
    key,
    (id) => ({ path: url.replace('{id}', id), init: { method, ...(method === 'POST' ? json({}) : {}) } }),
  ])
const continued: Build = (id) => ({
  path: '/api/v1/responses',
  init: { method: 'POST', ...json({ model: 'scripted', input: '?', previous_response_id: id }) },
})

describe('at the gateway an id of another key is one that never was', () => {
  test.each([...gatewayCases, ['previous_response_id', continued] as const])('%s', async (_, build) => {
    await expectUnknown([{ build, kinds: listPlainKinds() }])
  })
})

test('nothing of the owner has changed', async () => {
  expect(await readOwnRows()).toEqual(before)
})
