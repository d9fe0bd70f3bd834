import { Agent, run, setOpenAIAPI, setTracingDisabled, tool } from '@openai/agents'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { check, env, feature, reportVersion, script } from '../report.ts'

const { version } = JSON.parse(readFileSync('node_modules/@openai/agents/package.json', 'utf8')) as { version: string }
const CALL = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }
const weather = tool({
  name: 'weather',
  description: '天气',
  parameters: z.object({ city: z.string() }),
  execute: () => '晴',
})

reportVersion(version)
setTracingDisabled(true)
for (const api of ['responses', 'chat_completions'] as const) {
  setOpenAIAPI(api)
  const settings = { name: '天气', instructions: '简短', model: env.MODEL, tools: [weather] }
  await feature(`${api}: an agent calls a tool and answers`, async () => {
    await script(env.MODEL, { tool_calls: [CALL] }, { text: '上海晴。' })
    const { finalOutput } = await run(new Agent(settings), '上海天气')
    check(finalOutput === '上海晴。', finalOutput)
  })
  await feature(`${api}: the same in a stream`, async () => {
    await script(env.MODEL, { tool_calls: [CALL] }, { text: '上海晴。' })
    const result = await run(new Agent(settings), '上海天气', { stream: true })
    await result.completed
    check(result.finalOutput === '上海晴。', result.finalOutput)
  })
  await feature(`${api}: an object as output`, async () => {
    await script(env.MODEL, { text: '{"city":"上海"}' })
    const outputType = z.object({ city: z.string() })
    const { finalOutput } = await run(new Agent({ name: '城市', model: env.MODEL, outputType }), '哪个城市')
    check(finalOutput?.city === '上海', finalOutput)
  })
}
