import { ChatAnthropic } from '@langchain/anthropic'
import type { AIMessageChunk } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { check, env, feature, reportVersion, script } from '../report.ts'

const { version } = JSON.parse(readFileSync('node_modules/@langchain/openai/package.json', 'utf8')) as {
  version: string
}
const settings = { model: env.MODEL, maxRetries: 0, configuration: { baseURL: env.OPENAI_BASE_URL } }
const chats = {
  ChatOpenAI: new ChatOpenAI(settings),
  'ChatOpenAI by Responses': new ChatOpenAI({ ...settings, useResponsesApi: true }),
  ChatAnthropic: new ChatAnthropic({ model: env.MODEL, maxRetries: 0, anthropicApiUrl: env.ANTHROPIC_BASE_URL }),
}
const city = z.object({ city: z.string() })
const weather = tool(() => '晴', { name: 'weather', description: '天气', schema: city })

reportVersion(version)
for (const [name, chat] of Object.entries(chats)) {
  await feature(`${name}: an answer`, async () => {
    await script(env.MODEL, { text: '晴' })
    const answer = await chat.invoke('上海天气')
    check(answer.text === '晴' && answer.usage_metadata?.total_tokens, answer)
  })
  await feature(`${name}: a stream with tools`, async () => {
    await script(env.MODEL, { tool_calls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }] })
    let whole: AIMessageChunk | undefined
    for await (const chunk of await chat.bindTools([weather]).stream('上海天气')) whole = whole?.concat(chunk) ?? chunk
    check(whole?.tool_calls?.[0]?.args['city'] === '上海', whole)
  })
  await feature(`${name}: structured output`, async () => {
    await script(env.MODEL, { tool_calls: [{ id: 'call_1', name: 'extract', arguments: '{"city":"上海"}' }] })
    const answer = await chat.withStructuredOutput(city, { name: 'extract', method: 'functionCalling' }).invoke('哪个城市')
    check(answer.city === '上海', answer)
  })
}
