import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { ChatCompletion } from '#contract/gateway/completion-answers.ts'
import { sweepGateway } from '#server/gateway/gateway.ts'
import { sign } from '../../world/upstream/signatures.ts'
import { createCaller, userMessages } from '../caller.ts'
import type { Caller } from '../caller.ts'
import { MODELS, useProviderWorld } from '../provider-world.ts'

// Reasoning before a call of a tool is remembered for a day, for clients that do not send it back.

const world = useProviderWorld()
const TOOLS = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }]
const CALL = { id: 'call_1', name: 'f', arguments: '{"x":"一"}' }

type Calls = ChatCompletion['choices'][0]['message']['tool_calls']

/** Lets the model think and call, and goes on with the call alone, written anew as clients do. */
async function dropReasoning(caller: Caller, model: string, continuing = caller): Promise<unknown> {
  const asked = {
    model,
    messages: userMessages('?'),
    tools: TOOLS,
    reasoning_effort: 'high',
    max_tokens: 4000,
  }
  world.upstream.script(model, { reasoning: '先查', tool_calls: [{ ...CALL, signature: 'c2ln' }] })
  const { choices } = await caller.complete(asked)
  const toolCalls = choices[0].message.tool_calls
  return goOn(continuing, asked, toolCalls)
}

async function goOn(
  caller: Caller,
  asked: { model: string; messages: object[] },
  calls: Calls,
): Promise<unknown> {
  const toolCalls = calls!.map((call) =>
    call.type === 'function'
      ? { ...call, function: { ...call.function, arguments: call.function.arguments.replace(':', ' : ') } }
      : call,
  )
  world.upstream.script(asked.model, { text: '好' })
  const results = toolCalls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'r' }))
  const messages = [
    ...asked.messages,
    { role: 'assistant', content: null, tool_calls: toolCalls },
    ...results,
  ]
  await caller.complete({ ...asked, messages })
  const body = world.upstream.requests.at(-1)!.body as { messages?: unknown[]; contents?: unknown[] }
  return (body.messages ?? body.contents)![1]
}

test('it comes back in the form of the platform', async () => {
  const caller = await createCaller(world)
  expect(await dropReasoning(caller, MODELS.openai)).toMatchObject({ reasoning_content: '先查' })
  expect(await dropReasoning(caller, MODELS.anthropic)).toMatchObject({
    content: [{ type: 'thinking', thinking: '先查', signature: sign('先查') }, { type: 'tool_use' }],
  })
  expect(await dropReasoning(caller, MODELS.gemini)).toMatchObject({ parts: [{ thoughtSignature: 'c2ln' }] })
})

test('signatures of calls come back to a client that sends the thought itself', async () => {
  const caller = await createCaller(world)
  const path = '/api/v1/messages'
  const tools = [{ name: 'f', input_schema: { type: 'object' } }]
  const asked = { model: MODELS.gemini, max_tokens: 4000, messages: userMessages('?'), tools }
  world.upstream.script(MODELS.gemini, { reasoning: '先查', tool_calls: [{ ...CALL, signature: 'c2ln' }] })
  const first = (await (await caller.post(asked, { path })).json()) as { content: { id?: string }[] }
  world.upstream.script(MODELS.gemini, { text: '好' })
  const toolUseId = first.content.at(-1)!.id
  const results = { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolUseId, content: 'r' }] }
  const messages = [...asked.messages, { role: 'assistant', content: first.content }, results]
  await caller.post({ ...asked, messages }, { path })
  const { contents } = world.upstream.requests.at(-1)!.body as { contents: unknown[] }
  expect(contents[1]).toMatchObject({ parts: [{ thoughtSignature: 'c2ln' }] })
})

test('it is the account’s: of all its keys, and of no other', async () => {
  const caller = await createCaller(world)
  const colleague = await createCaller(world, {}, caller.user)
  const stranger = await createCaller(world)
  expect(await dropReasoning(caller, MODELS.openai, colleague)).toMatchObject({ reasoning_content: '先查' })
  expect(await dropReasoning(caller, MODELS.openai, stranger)).toMatchObject({ reasoning_content: '…' })
})

test('it is gone after a day, and what is no answer to the same call is not put before it', async () => {
  const caller = await createCaller(world)
  const asked = { model: MODELS.openai, messages: userMessages('?'), tools: TOOLS }
  const calls: Calls = [
    { id: 'call_1', type: 'function', function: { name: 'f', arguments: CALL.arguments } },
  ]
  await dropReasoning(caller, MODELS.openai)
  const other: Calls = [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"x":"二"}' } }]
  expect(await goOn(caller, asked, other)).toMatchObject({ reasoning_content: '…' })
  expect(await goOn(caller, asked, calls)).toMatchObject({ reasoning_content: '先查' })
  await world.db().execute(sql`UPDATE gateway_reasoning SET created_at = now() - interval '25 hours'`)
  expect(await goOn(caller, asked, calls)).toMatchObject({ reasoning_content: '…' })
  await sweepGateway(world.db())
  const { rows } = await world.db().execute(sql`SELECT 1 FROM gateway_reasoning`)
  expect(rows).toEqual([])
})

test('arguments to which a client adds are those of the same call, where its id is of its own', async () => {
  const caller = await createCaller(world)
  const asked = { model: MODELS.openai, messages: userMessages('?'), tools: TOOLS }
  const id = 'call_0a81d4ae7dec11d0a765'
  world.upstream.script(MODELS.openai, { reasoning: '先查', tool_calls: [{ ...CALL, id }] })
  await caller.complete(asked)
  const added: Calls = [
    { id, type: 'function', function: { name: 'f', arguments: '{"all":false,"x":"一"}' } },
  ]
  expect(await goOn(caller, asked, added)).toMatchObject({ reasoning_content: '先查' })
})

test('the same call made again without a thought has none', async () => {
  const caller = await createCaller(world)
  await dropReasoning(caller, MODELS.openai)
  const asked = { model: MODELS.openai, messages: userMessages('?'), tools: TOOLS }
  world.upstream.script(MODELS.openai, { tool_calls: [CALL] })
  const { choices } = await caller.complete(asked)
  expect(await goOn(caller, asked, choices[0].message.tool_calls)).toMatchObject({ reasoning_content: '…' })
})
