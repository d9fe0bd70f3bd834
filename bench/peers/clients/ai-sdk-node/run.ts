import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import type { LanguageModel } from 'ai'
import { readFileSync } from 'node:fs'
import { check, env, features, reportVersion, script } from '../report.ts'

const { version } = JSON.parse(readFileSync('node_modules/ai/package.json', 'utf8')) as { version: string }
const baseURL = env.OPENAI_BASE_URL
const openai = createOpenAI({ baseURL })
const compatible = createOpenAICompatible({ name: 'wenqu', baseURL, apiKey: env.OPENAI_API_KEY })
const anthropic = createAnthropic({ baseURL: `${env.ANTHROPIC_BASE_URL}/v1` })

/** As each package makes a model where nothing else is said. */
const providers: Record<string, (id: string) => LanguageModel> = {
  'openai(…)': openai,
  'openai.chat(…)': openai.chat,
  'openaiCompatible(…)': compatible,
  'anthropic(…)': anthropic,
}
const weather = tool({
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  execute: () => '晴',
})
const CALL = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }

reportVersion(version)
for (const [name, create] of Object.entries(providers)) {
  await features(`${name}: generateText`, async (id) => {
    await script(id, { text: '晴' })
    const { text } = await generateText({ model: create(id), prompt: '上海天气', maxRetries: 0 })
    check(text === '晴', text)
  })
  await features(`${name}: a conversation with tools in steps`, async (id) => {
    await script(id, { reasoning: '想', tool_calls: [CALL] }, { text: '上海晴。' })
    const result = streamText({
      model: create(id),
      prompt: '上海天气',
      tools: { weather },
      stopWhen: isStepCount(3),
      maxRetries: 0,
      onError: () => {},
    })
    check((await result.text) === '上海晴。', 'another text')
  })
}
