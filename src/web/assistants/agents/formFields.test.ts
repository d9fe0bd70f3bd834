import { expect, test } from 'vitest'
import type { Agent } from '#contract/agents/agents.ts'
import { createDefaultSystemPrompt, createDefaultWelcome } from '#contract/agents/agent-defaults.ts'
import { parseSamples } from './generate.ts'
import { toAgentName, toBody, toFields, withDefaultTexts } from './formFields.ts'

const agent: Agent = {
  uuid: '0192d0c0-0000-7000-8000-000000000000',
  name: '渠',
  logo: '',
  desc: '',
  model: 'deepseek-chat',
  chat_level: 2,
  interneted: false,
  refer_source: false,
  related_prompts: false,
  stream: true,
  visible: 0,
  public: false,
  category_id: 0,
  store_mode: 'kb',
  status: 0,
  settings: { chat: { system_prompt: '', welcome_prompt: '', suggest_prompts: ['甲？', '乙？'] } },
  owned: true,
  owner: { name: '朱熹', avatar: '' },
  uses: 0,
  updated_at: '2026-11-22T00:00:00.000Z',
  embeds: [],
  version: 1,
  draft_of: null,
}

test('what a form shows is sent as it was, its default texts as none', () => {
  const fields = toFields(agent)
  expect(fields.system_prompt).toContain('渠')
  expect(toBody(fields)).toMatchObject({
    name: '渠',
    visible: 0,
    store_mode: 'kb',
    embeds: [],
    settings: agent.settings,
  })
  expect(toBody({ ...fields, public: true, system_prompt: '只说诗。' })).toMatchObject({
    visible: 2,
    settings: { chat: { system_prompt: '只说诗。', welcome_prompt: '' } },
  })
})

test('one that is shared with the organization stays so, unless it is made public', () => {
  const fields = toFields({ ...agent, visible: 1 })
  expect(toBody(fields)).toMatchObject({ visible: 1 })
  expect(toBody({ ...fields, public: true })).toMatchObject({ visible: 2 })
  expect(toBody({ ...fields, shared: false })).toMatchObject({ visible: 0 })
})

test('default texts follow the name, and others stay', () => {
  const fields = toFields(agent)
  expect(withDefaultTexts(fields, { name: '源' })).toEqual({
    name: '源',
    system_prompt: createDefaultSystemPrompt({ name: '源', desc: '' }),
    welcome_prompt: createDefaultWelcome({ name: '源' }),
  })
  const customFields = { ...fields, system_prompt: '只说诗。', welcome_prompt: '来了？' }
  expect(withDefaultTexts(customFields, { name: '源' })).toEqual({ name: '源' })
})

test.each([
  ['观书有感.md', '观书有感'],
  ['第 1.5 版说明', '第 1.5 版说明'],
  ['https://example.com/a', 'https://example.com/a'],
])('an agent made of %s is called %s', (file, name) => expect(toAgentName(file)).toBe(name))

test.each([
  [
    '{"welcome_message":"你好","suggest_messages":["甲？","乙？"]}',
    { welcome_prompt: '你好', suggest_prompts: '甲？\n乙？' },
  ],
  ['{"welcome_message":"你好"}', null],
  ['null', null],
  ['你好', null],
])('samples are read from %s', (message, samples) => expect(parseSamples(message)).toEqual(samples))
