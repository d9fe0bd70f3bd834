import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { check, env, features, reportVersion, script } from '../report.ts'

const { version } = JSON.parse(readFileSync('node_modules/@mastra/core/package.json', 'utf8')) as { version: string }
const baseURL = env.OPENAI_BASE_URL
const openai = createOpenAI({ baseURL })
const anthropic = createAnthropic({ baseURL: `${env.ANTHROPIC_BASE_URL}/v1` })
const providers = {
  'openai(…)': (model: string) => openai(model),
  'openai.chat(…)': (model: string) => openai.chat(model),
  'anthropic(…)': (model: string) => anthropic(model),
  'a custom address': (model: string) => ({ id: `custom/${model}` as const, url: baseURL, apiKey: env.OPENAI_API_KEY }),
}
const weather = createTool({
  id: 'weather',
  description: '天气',
  inputSchema: z.object({ city: z.string() }),
  execute: () => Promise.resolve('晴'),
})

reportVersion(version)
for (const [name, create] of Object.entries(providers)) {
  await features(`${name}: an agent calls a tool and answers`, async (model) => {
    const settings = { id: 'a', name: 'a', instructions: '简短', tools: { weather } }
    const agent = new Agent({ ...settings, model: create(model) })
    const call = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }
    await script(model, { tool_calls: [call] }, { text: '上海晴。' })
    const { text } = await agent.generate('上海天气')
    check(text === '上海晴。', text)
  })
}
