import OpenAI from 'openai'
import { check, feature, models, reportVersion, script } from '../report.ts'
import { VERSION } from 'openai/version'

const client = new OpenAI({ maxRetries: 0 })
const CALL = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const messages = [{ role: 'user' as const, content: '上海天气' }]

reportVersion(VERSION)
for (const model of models) {
  await feature(`chat: an answer (${model})`, async () => {
    await script(model, { text: '晴' })
    const { choices, usage } = await client.chat.completions.create({ model, messages })
    check(choices[0]?.message.content === '晴' && usage?.total_tokens, choices)
  })
  await feature(`chat: tools in a stream (${model})`, async () => {
    await script(model, { text: '查一下', tool_calls: [CALL] })
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }]
    const message = await client.chat.completions.stream({ model, messages, tools }).finalMessage()
    check(JSON.stringify(message.tool_calls).includes('上海'), message)
  })
  await feature(`responses: a conversation that is kept (${model})`, async () => {
    await script(model, { text: '记住了' }, { text: '四十二' })
    const first = await client.responses.create({ model, input: '记住 42' })
    const second = await client.responses.create({ model, input: '是多少？', previous_response_id: first.id })
    check(second.output_text === '四十二', second.output)
    const items = await client.responses.inputItems.list(first.id)
    check(JSON.stringify(items.data).includes('记住 42'), items.data)
    await client.responses.delete(first.id)
  })
  await feature(`responses: a custom tool in a stream (${model})`, async () => {
    await script(model, { tool_calls: [{ id: 'call_1', name: 'patch', arguments: '{"input":"第一行\\n第二行"}' }] })
    const tools = [{ type: 'custom' as const, name: 'patch' }]
    const response = await client.responses.stream({ model, input: '改一下', tools }).finalResponse()
    const [call] = response.output.filter(({ type }) => type === 'custom_tool_call')
    check(call?.type === 'custom_tool_call' && call.input === '第一行\n第二行', response.output)
  })
  await feature(`responses: in the background (${model})`, async () => {
    await script(model, { text: '好了' })
    let response = await client.responses.create({ model, input: '慢慢来', background: true })
    while (response.status === 'queued' || response.status === 'in_progress') {
      await new Promise((done) => setTimeout(done, 100))
      response = await client.responses.retrieve(response.id)
    }
    check(response.output_text === '好了', response)
  })
}
await feature('models', async () => {
  const ids: string[] = []
  for await (const { id } of client.models.list()) ids.push(id)
  check(models.every((model) => ids.includes(model)), ids)
})
