import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sign } from './signatures.ts'
import { startUpstream } from './upstream.ts'
import type { Script, Upstream } from './upstream.ts'

let upstream: Upstream
beforeAll(async () => {
  upstream = await startUpstream()
})
afterEach(() => upstream.reset())
afterAll(() => upstream.close())

const USER = { role: 'user', content: '上海天气' }
const CALL = { id: 'call_1', name: 'weather', arguments: '{}' }
const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) })
const postChat = (platform: string, body: object): Promise<Response> =>
  post(`${upstream.platformUrl(platform)}/chat/completions`, body)

describe('a refusal', () => {
  test('comes before the script, which the next call takes, and is told by the request that was refused', async () => {
    upstream.script('m', { text: '一' }, { text: '二' })
    const refused = await postChat('minimax', { messages: [USER], tools: [{ function: { name: 'time' } }] })
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { http_code: '400' } }])
    expect(upstream.refusals).toMatchObject([
      { path: '/minimax/v1/chat/completions', rule: 'schemas-are-there', status: 400 },
    ])
    expect(upstream.requests).toHaveLength(1)
    const taken = await postChat('minimax', { messages: [USER] })
    expect(await taken.json()).toMatchObject({ choices: [{ message: { content: '一' } }] })
  })

  test('that nobody expected is an error once, and none where it was expected', async () => {
    const refuse = () => postChat('openai', { messages: [] })
    await refuse()
    expect(() => upstream.checkRefusals()).toThrow('/openai/v1/chat/completions: messages-are-there (400)')
    expect(() => upstream.checkRefusals()).not.toThrow()
    upstream.expectRefusal()
    await refuse()
    expect(() => upstream.checkRefusals()).not.toThrow()
    await refuse()
    expect(() => upstream.checkRefusals()).toThrow()
  })

  test('without a platform is that of the dialect', async () => {
    await post(`${upstream.url}/messages`, { messages: [] })
    await post(`${upstream.url}/models/m:generateContent`, { contents: [] })
    await post(`${upstream.url}/chat/completions`, { messages: [USER], stop: [''] })
    expect(upstream.refusals.map(({ rule }) => rule)).toEqual([
      'messages-are-there',
      'contents-are-there',
      'stop-is-not-empty',
    ])
  })
})

describe('thoughts are', () => {
  const script: Script = { reasoning: '先查', text: '晴' }

  test.each([
    ['moonshot', { reasoning_content: '先查', content: '晴' }],
    ['deepseek', { reasoning_content: '先查', content: '晴' }],
    ['minimax', { reasoning_details: [{ type: 'reasoning.text', index: 0, text: '先查' }], content: '晴' }],
    ['openrouter', { reasoning: '先查', reasoning_details: [{ text: '先查' }], content: '晴' }],
    [
      'mistral',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: '先查' }] },
          { type: 'text', text: '晴' },
        ],
      },
    ],
  ])('those of %s in its own fields', async (platform, message) => {
    upstream.script('m', script)
    const whole = await postChat(platform, { messages: [USER] })
    expect(await whole.json()).toMatchObject({ choices: [{ message }] })
    const { content: _, ...thought } = message
    const streamed = await (await postChat(platform, { messages: [USER], stream: true })).text()
    const second = JSON.parse(streamed.split('\n\n')[1]!.slice(6)) as unknown
    const delta = platform === 'mistral' ? { content: [{ type: 'thinking' }] } : thought
    expect(second).toMatchObject({ choices: [{ delta }] })
  })

  test('signed blocks, whose signature is taken back with this text and with no other', async () => {
    upstream.script('claude-sonnet-4-5', script)
    const asked = { model: 'claude-sonnet-4-5', max_tokens: 100 }
    const send = (messages: object[]) => post(`${upstream.url}/messages`, { ...asked, messages })
    const { content } = (await (await send([USER])).json()) as { content: { thinking?: string }[] }
    expect(content[0]).toEqual({ type: 'thinking', thinking: '先查', signature: sign('先查') })
    expect(sign('先查')).toMatch(/^E[A-Za-z0-9+/]+=*$/)
    expect((await send([USER, { role: 'assistant', content }, USER])).status).toBe(200)
    const other = [{ ...content[0], thinking: '先想' }, ...content.slice(1)]
    expect((await send([USER, { role: 'assistant', content: other }, USER])).status).toBe(400)
  })

  test('a signature of the first of parallel calls', async () => {
    upstream.script('gemini-3-pro', { tool_calls: [CALL, CALL] })
    const response = await fetch(`${upstream.url}/models/gemini-3-pro:generateContent`, {
      method: 'POST',
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: '?' }] }] }),
    })
    expect(await response.json()).toMatchObject({
      candidates: [{ content: { parts: [{ thoughtSignature: sign('weather') }, { functionCall: {} }] } }],
    })
  })
})
