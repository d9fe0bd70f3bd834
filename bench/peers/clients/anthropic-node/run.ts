import Anthropic from '@anthropic-ai/sdk'
import { VERSION } from '@anthropic-ai/sdk/version'
import { check, feature, models, reportVersion, script } from '../report.ts'

const client = new Anthropic({ maxRetries: 0 })
const messages = [{ role: 'user' as const, content: '上海天气' }]

reportVersion(VERSION)
for (const model of models) {
  const asked = { model, max_tokens: 1024, messages }
  await feature(`an answer (${model})`, async () => {
    await script(model, { text: '晴' })
    const { content, usage } = await client.messages.create(asked)
    check(content[0]?.type === 'text' && content[0].text === '晴' && usage.output_tokens, content)
  })
  await feature(`tools in a stream (${model})`, async () => {
    await script(model, { text: '查一下', tool_calls: [{ id: 'c1', name: 'weather', arguments: '{"city":"上海"}' }] })
    const tools = [{ name: 'weather', input_schema: { type: 'object' as const } }]
    const message = await client.messages.stream({ ...asked, tools }).finalMessage()
    check(message.stop_reason === 'tool_use' && JSON.stringify(message.content).includes('上海'), message)
  })
  await feature(`tokens are counted (${model})`, async () => {
    const { input_tokens } = await client.messages.countTokens({ model, messages })
    check(input_tokens > 0, input_tokens)
  })
}
await feature('models', async () => {
  const ids: string[] = []
  for await (const { id } of client.models.list()) ids.push(id)
  check(models.every((model) => ids.includes(model)), ids)
})
