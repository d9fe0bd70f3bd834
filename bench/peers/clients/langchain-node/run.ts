import { ChatAnthropic } from '@langchain/anthropic'
import type { AIMessageChunk } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { check, env, features, reportVersion, script } from '../report.ts'

const { version } = JSON.parse(readFileSync('node_modules/@langchain/openai/package.json', 'utf8')) as {
  version: string
}
const createSettings = (model: string) => ({ model, maxRetries: 0, configuration: { baseURL: env.OPENAI_BASE_URL } })
const chats = {
  ChatOpenAI: (model: string) => new ChatOpenAI(createSettings(model)),
  'ChatOpenAI by Responses': (model: string) => new ChatOpenAI({ ...createSettings(model), useResponsesApi: true }),
  ChatAnthropic: (model: string) =>
    new ChatAnthropic({ model, maxRetries: 0, anthropicApiUrl: env.ANTHROPIC_BASE_URL }),
}
const city = z.object({ city: z.string() })
const weather = tool(() => '晴', { name: 'weather', description: '天气', schema: city })

reportVersion(version)
for (const [name, create] of Object.entries(chats)) {
  await features(`${name}: an answer`, async (model) => {
    await script(model, { text: '晴' })
    const answer = await create(model).invoke('上海天气')
    check(answer.text === '晴' && answer.usage_metadata?.total_tokens, answer)
  })
  await features(`${name}: a stream with tools`, async (model) => {
    await script(model, { tool_calls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }] })
    let whole: AIMessageChunk | undefined
    for await (const chunk of await create(model).bindTools([weather]).stream('上海天气'))
      whole = whole?.concat(chunk) ?? chunk
    check(whole?.tool_calls?.[0]?.args['city'] === '上海', whole)
  })
  await features(`${name}: structured output`, async (model) => {
    await script(model, { tool_calls: [{ id: 'call_1', name: 'extract', arguments: '{"city":"上海"}' }] })
    const structured = create(model).withStructuredOutput(city, { name: 'extract', method: 'functionCalling' })
    const answer = await structured.invoke('哪个城市')
    check(answer.city === '上海', answer)
  })
}
