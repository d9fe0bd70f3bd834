import { keysText } from '../text/keys.ts'

export type SampleName = keyof typeof keysText.samples

/** Programs that ask one question through the gateway, ready to be run once API_KEY is set in the environment. */
export function samples(base_url: string, model: string): Record<SampleName, string> {
  const question = keysText.sampleQuestion
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: question }] })
  return {
    curl: `curl ${base_url}/chat/completions \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${body.replaceAll("'", String.raw`'\''`)}'`,
    python: `import os
from openai import OpenAI

client = OpenAI(base_url="${base_url}", api_key=os.environ["API_KEY"])
answer = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "${question}"}],
)
print(answer.choices[0].message.content)`,
    node: `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${base_url}', apiKey: process.env.API_KEY })
const answer = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: 'user', content: '${question}' }],
})
console.log(answer.choices[0].message.content)`,
  }
}
