import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { check, env, feature, reportVersion, script } from '../report.ts'

const { version } = JSON.parse(readFileSync('node_modules/@mastra/core/package.json', 'utf8')) as { version: string }
const baseURL = env.OPENAI_BASE_URL
const models = {
  'openai(…)': createOpenAI({ baseURL })(env.MODEL),
  'openai.chat(…)': createOpenAI({ baseURL }).chat(env.MODEL),
  'anthropic(…)': createAnthropic({ baseURL: `${env.ANTHROPIC_BASE_URL}/v1` })(env.MODEL),
  'a custom address': { id: `custom/${env.MODEL}` as const, url: baseURL, apiKey: env.OPENAI_API_KEY },
}
const weather = createTool({
  id: 'weather',
  description: '天气',
  inputSchema: z.object({ city: z.string() }),
  execute: () => Promise.resolve('晴'),
})

reportVersion(version)
for (const [name, model] of Object.entries(models)) {
  await feature(`${name}: an agent calls a tool and answers`, async () => {
    const agent = new Agent({ id: 'a', name: 'a', instructions: '简短', model, tools: { weather } })
    const call = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }
    await script(env.MODEL, { tool_calls: [call] }, { text: '上海晴。' })
    const { text } = await agent.generate('上海天气')
    check(text === '上海晴。', text)
  })
}
