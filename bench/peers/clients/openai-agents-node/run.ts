import { Agent, run, setOpenAIAPI, setTracingDisabled, tool } from '@openai/agents'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { check, features, reportVersion, script } from '../report.ts'

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
  const createAgent = (model: string) => new Agent({ name: '天气', instructions: '简短', model, tools: [weather] })
  await features(`${api}: an agent calls a tool and answers`, async (model) => {
    await script(model, { tool_calls: [CALL] }, { text: '上海晴。' })
    const { finalOutput } = await run(createAgent(model), '上海天气')
    check(finalOutput === '上海晴。', finalOutput)
  })
  await features(`${api}: the same in a stream`, async (model) => {
    await script(model, { tool_calls: [CALL] }, { text: '上海晴。' })
    const result = await run(createAgent(model), '上海天气', { stream: true })
    await result.completed
    check(result.finalOutput === '上海晴。', result.finalOutput)
  })
  await features(`${api}: an object as output`, async (model) => {
    await script(model, { text: '{"city":"上海"}' })
    const outputType = z.object({ city: z.string() })
    const { finalOutput } = await run(new Agent({ name: '城市', model, outputType }), '哪个城市')
    check(finalOutput?.city === '上海', finalOutput)
  })
}
