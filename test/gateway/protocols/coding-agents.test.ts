import { sql } from 'drizzle-orm'
import OpenAI from 'openai'
import { beforeAll, describe, expect, test } from 'vitest'
import { useCaller } from '../caller.ts'
import { MODELS, PROVIDERS, useProviderWorld } from '../provider-world.ts'

// Requests of Codex CLI 0.169 and Claude Code 2.1, shortened; `npm run bench:clients` runs the programs themselves.

const world = useProviderWorld()
const caller = useCaller(world)
let client: OpenAI
beforeAll(() => {
  client = new OpenAI({ apiKey: caller.key, baseURL: `${world.url}/api/v1`, maxRetries: 0 })
})

const getUpstreamBody = () => world.upstream.requests.at(-1)!.body as Record<string, unknown>
const getUpstreamText = () => JSON.stringify(getUpstreamBody())
const text = (role: 'developer' | 'user', words: string) => ({
  type: 'message' as const,
  id: `msg_${crypto.randomUUID()}`,
  role,
  content: [{ type: 'input_text' as const, text: words }],
})
const parameters = { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] }
const EXEC: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'exec_command',
  description: 'Runs a command in a PTY',
  strict: false,
  parameters,
}
const AGENTS: OpenAI.Responses.NamespaceTool = {
  type: 'namespace',
  name: 'multi_agent_v1',
  description: 'Tools for spawning and managing sub-agents.',
  tools: [
    { type: 'function', name: 'close_agent', description: 'Close an agent', strict: false, parameters },
  ],
}
const PATCH: OpenAI.Responses.CustomTool = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edit files',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch' },
}
const SEARCH = { type: 'web_search', external_web_access: true } as OpenAI.Responses.WebSearchTool

/** A turn of Codex CLI. */
const createCodexRequest = (model: string, input: OpenAI.Responses.ResponseInputItem[] = []) => ({
  model,
  input: [text('developer', 'You are a coding agent'), text('user', '改一下'), ...input],
  tools: [EXEC, AGENTS, PATCH, SEARCH] as OpenAI.Responses.Tool[],
  tool_choice: 'auto' as const,
  parallel_tool_calls: true,
  reasoning: { summary: 'auto' as const },
  store: false,
  include: ['reasoning.encrypted_content' as const],
  prompt_cache_key: crypto.randomUUID(),
  client_metadata: { 'x-codex-installation-id': crypto.randomUUID() },
})

const PATCH_TEXT = '*** Begin Patch\n+"渠" 🌊 \\ \t完\n*** End Patch'
/** Models write arguments like this: some escape more than others, in pieces of any length. */
const PATCH_ARGUMENTS = JSON.stringify({ input: PATCH_TEXT }).replace('🌊', '\\ud83c\\udf0a')
const PATCH_CALL = { id: 'call_1', name: 'apply_patch', arguments: PATCH_ARGUMENTS }
const CLOSE_CALL = { id: 'call_2', name: 'multi_agent_v1__close_agent', arguments: '{"cmd":"a"}' }

describe.each(PROVIDERS)('Codex CLI on a platform that speaks %s', (dialect) => {
  const model = MODELS[dialect]

  test('is answered by custom tools and those of a namespace, as it knows them', async () => {
    world.upstream.script(model, { text: '好', tool_calls: [PATCH_CALL, CLOSE_CALL], chars: 3 })
    const deltas: string[] = []
    const stream = client.responses.stream(createCodexRequest(model))
    stream.on('response.custom_tool_call_input.delta', ({ delta }) => deltas.push(delta))
    const streamed = await stream.finalResponse()
    const whole = await client.responses.create(createCodexRequest(model))
    for (const { output } of [streamed, whole]) {
      expect(output).toMatchObject([
        { type: 'message' },
        { type: 'custom_tool_call', name: 'apply_patch', input: PATCH_TEXT, status: 'completed' },
        { type: 'function_call', name: 'close_agent', namespace: 'multi_agent_v1', arguments: '{"cmd":"a"}' },
      ])
    }
    expect(deltas.join('')).toBe(PATCH_TEXT)
    expect(deltas.every((delta) => delta.isWellFormed())).toBe(true)
    const sent = getUpstreamText()
    for (const name of ['exec_command', 'multi_agent_v1__close_agent', 'apply_patch'])
      expect(sent).toContain(name)
    expect(sent).toContain('start: begin_patch')
    expect(sent).not.toContain('web_search')
    expect(streamed.tools).toMatchObject([EXEC, AGENTS, PATCH])
  })

  test('sends their results back, beside items that only OpenAI reads', async () => {
    world.upstream.script(model, { text: '改好了' })
    const unread = [
      { type: 'reasoning', id: 'rs_1', summary: [], content: null, encrypted_content: null },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: '渠' } },
      { type: 'compaction', encrypted_content: 'c2VjcmV0' },
    ] as unknown as OpenAI.Responses.ResponseInputItem[]
    const { output_text } = await client.responses.create(
      createCodexRequest(model, [
        ...unread,
        { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: PATCH_TEXT },
        {
          type: 'function_call',
          call_id: 'c2',
          name: 'close_agent',
          namespace: 'multi_agent_v1',
          arguments: '{"cmd":"a"}',
        },
        {
          type: 'local_shell_call',
          id: 'lsh_1',
          call_id: 'c3',
          status: 'completed',
          action: { type: 'exec', command: ['ls', '-la'], env: {} },
        },
        { type: 'custom_tool_call_output', call_id: 'c1', output: 'patched' },
        { type: 'function_call_output', call_id: 'c2', output: 'closed' },
        { type: 'local_shell_call_output', id: 'c3', output: 'listed' },
        text('developer', '说中文'),
      ]),
    )
    expect(output_text).toBe('改好了')
    const sent = getUpstreamText()
    for (const part of ['multi_agent_v1__close_agent', 'Begin Patch', '-la', 'patched', 'closed', 'listed'])
      expect(sent).toContain(part)
    expect(sent).not.toContain('c2VjcmV0')
    // Instructions in the middle stay there.
    expect(sent.indexOf('listed')).toBeLessThan(sent.indexOf('说中文'))
    expect(sent.indexOf('coding agent')).toBeLessThan(sent.indexOf('改一下'))
  })
})

test('a response says in a header which tools were left out', async () => {
  world.upstream.script(MODELS.openai, { text: '好' })
  const { response } = await client.responses.create(createCodexRequest(MODELS.openai)).withResponse()
  expect(response.headers.get('x-dropped-tools')).toBe('web_search')
  const alone = await client.responses
    .create({ model: MODELS.openai, input: '?', tools: [SEARCH, { type: 'image_generation' }] })
    .withResponse()
  expect(alone.response.headers.get('x-dropped-tools')).toBe('web_search, image_generation')
  expect(getUpstreamBody()).not.toHaveProperty('tools')
  expect(getUpstreamBody()).not.toHaveProperty('tool_choice')
})

test.each([
  ['required', [SEARCH]],
  [{ type: 'web_search_preview' }, [EXEC, SEARCH]],
] as const)(
  'a call that insists (%j) on a tool that nobody can run is refused',
  async (toolChoice, tools) => {
    const body = { model: MODELS.openai, input: '?', tools, tool_choice: toolChoice }
    const response = await caller.post(body, { path: '/api/v1/responses' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { param: 'tool_choice', message: expect.stringContaining('web_search') },
    })
  },
)

test('allowed_tools, and one tool by its name, are asked for under their names at the platform', async () => {
  world.upstream.script(MODELS.openai, { text: '好' })
  const ask = (toolChoice: object) =>
    caller.post(
      { ...createCodexRequest(MODELS.openai), tool_choice: toolChoice },
      { path: '/api/v1/responses' },
    )
  await ask({ type: 'custom', name: 'apply_patch' })
  expect(getUpstreamBody()).toMatchObject({ tool_choice: { function: { name: 'apply_patch' } } })
  await ask({ type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'exec_command' }] })
  expect(getUpstreamBody()).toMatchObject({
    tool_choice: 'required',
    tools: [{ function: { name: 'exec_command' } }],
  })
})

test('a name that is too long with its namespace is shortened, and found again', async () => {
  const [namespace, name] = ['n'.repeat(60), 'm'.repeat(60)]
  const tools = [{ ...AGENTS, name: namespace, tools: [{ ...EXEC, name }] }]
  world.upstream.script(MODELS.openai, { text: '好' })
  await client.responses.create({ model: MODELS.openai, input: '?', tools })
  const [{ function: sent }] = getUpstreamBody()['tools'] as [{ function: { name: string } }]
  expect(sent.name).toHaveLength(64)
  const call = { id: 'c', name: sent.name, arguments: '{}' }
  world.upstream.script(MODELS.openai, { tool_calls: [call] })
  const { output } = await client.responses.create({ model: MODELS.openai, input: '?', tools })
  expect(output).toMatchObject([{ type: 'function_call', name, namespace }])
})

const BETAS = 'claude-code-20250219,context-management-2025-06-27,mid-conversation-system-2026-04-07'
const cacheControl = { type: 'ephemeral', ttl: '1h' }
/** A turn of Claude Code. */
const createClaudeRequest = (model: string) => ({
  model,
  max_tokens: 4000,
  system: [{ type: 'text', text: 'You are a Claude agent', cache_control: cacheControl }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: '运行一下', cache_control: cacheControl }] },
    { role: 'system', content: 'Available agent types' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '先看看', signature: '' },
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: '渠' } },
        { type: 'text', text: '我来运行', citations: null },
        { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'echo 42' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: '42',
          is_error: false,
          cache_control: cacheControl,
        },
      ],
    },
  ],
  tools: [
    { name: 'Bash', description: 'Runs a command', input_schema: parameters },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
  ],
  metadata: { user_id: '{"device_id":"0"}' },
  thinking: { type: 'adaptive' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'high' },
  stream: false,
})
const ask = (body: object, betas = BETAS) =>
  caller.post(body, { path: '/api/v1/messages?beta=true', headers: { 'anthropic-beta': betas } })

test.each(PROVIDERS)('Claude Code works on a platform that speaks %s', async (dialect) => {
  world.upstream.script(MODELS[dialect], { text: '看过了' })
  const response = await ask(createClaudeRequest(MODELS[dialect]))
  expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: '看过了' }] })
  expect(response.headers.get('x-dropped-tools')).toBe('web_search_20250305')
  const sent = getUpstreamText()
  for (const part of ['Bash', 'echo 42', '我来运行']) expect(sent).toContain(part)
  expect(sent).not.toContain('web_search')
  // Instructions in the middle stay there.
  expect(sent.indexOf('运行一下')).toBeLessThan(sent.indexOf('Available agent types'))
  expect(sent.indexOf('Available agent types')).toBeLessThan(sent.indexOf('我来运行'))
  expect(sent).toMatch(dialect === 'openai' ? /"role":"system"/ : /<system>/)
})

test('platforms of the same dialect get its betas, but none that changes the price, and what they switch on', async () => {
  world.upstream.script(MODELS.anthropic, { text: '好' })
  await ask(createClaudeRequest(MODELS.anthropic), `${BETAS}, context-1m-2025-08-07,fast-mode-2026-02-01`)
  const { headers, body } = world.upstream.requests.at(-1)!
  expect(headers['anthropic-beta']).toBe(BETAS)
  expect(body).toMatchObject({
    context_management: { edits: [{}] },
    system: [{ cache_control: cacheControl }],
    messages: [
      { content: [{ cache_control: cacheControl }, {}] },
      {},
      { content: [{ cache_control: cacheControl }] },
    ],
  })
  await ask(createClaudeRequest(MODELS.anthropic), '')
  expect(world.upstream.requests.at(-1)!.headers).not.toHaveProperty('anthropic-beta')
  expect(getUpstreamBody()).not.toHaveProperty('context_management')
})

test('a model that knows instructions within the conversation gets them as such', async () => {
  world.upstream.script('claude-opus-4-8', { text: '好' })
  await ask(createClaudeRequest('claude-opus-4-8'))
  expect(getUpstreamBody()).toMatchObject({
    messages: [
      { role: 'user' },
      { role: 'system', content: [{ type: 'text', text: 'Available agent types' }] },
      { role: 'assistant' },
      { role: 'user' },
    ],
  })
})

test('a message that insists on a tool of Anthropic’s own is refused', async () => {
  const response = await ask({
    ...createClaudeRequest(MODELS.anthropic),
    tool_choice: { type: 'tool', name: 'web_search' },
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { type: 'invalid_request_error', message: expect.stringContaining('web_search_20250305') },
  })
})

test('what is written to a cache for an hour costs more than for five minutes', async () => {
  const write = async (ephemeral1hInputTokens: number): Promise<number> => {
    const usage = {
      input_tokens: 9,
      cache_creation_input_tokens: 6_000,
      cache_creation: { ephemeral_1h_input_tokens: ephemeral1hInputTokens },
      output_tokens: 1,
    }
    world.upstream.script(MODELS.anthropic, { text: '好', usage })
    const before = await caller.user.call('GET /api/credit/balance', {})
    expect((await ask(createClaudeRequest(MODELS.anthropic))).status).toBe(200)
    const after = await caller.user.call('GET /api/credit/balance', {})
    return before.balance - after.balance
  }
  const [minutes, hour] = [await write(0), await write(6_000)]
  expect(hour / minutes).toBeCloseTo(1.6, 1)
})

test('room for a cache of an hour is held where the platform has such a cache, and the prompt asks for it', async () => {
  const getHeld = async (model: string, ttl: string): Promise<number> => {
    world.upstream.script(model, { text: '好' })
    const request = JSON.stringify(createClaudeRequest(model)).replaceAll('"1h"', JSON.stringify(ttl))
    expect((await ask(JSON.parse(request) as object)).status).toBe(200)
    const { rows } = await world.db().execute<{ amount: string }>(sql`
      SELECT held::text AS amount FROM runs ORDER BY started_at DESC LIMIT 1`)
    return Number(rows[0]!.amount)
  }
  expect(await getHeld(MODELS.anthropic, '1h')).toBeGreaterThan(await getHeld(MODELS.anthropic, '5m'))
  expect(await getHeld(MODELS.openai, '1h')).toBe(await getHeld(MODELS.openai, '5m'))
})
