import type { Setting } from '../docs/Settings.tsx'
import { samplesText } from '../text/samples.ts'

export type SampleName = keyof typeof samplesText.tabs

/** `origin` is the site's; without a key of its own a sample shows a stand-in. */
export type Call = { origin: string; model: string; api_key: string }

/** A piece of code, with a word where there are several; or a setting to be copied into a form. */
export type Code = { title?: string; code: string }
export type Sample = { note?: string; codes: Code[] } | { note?: string; settings: Setting[] }

const quoted = (text: string): string => JSON.stringify(text)
/** For a POSIX shell, between single quotes. */
const shell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Programs and settings that ask one question through the gateway, ready to be used. */
export function samplesFor(call: Call): Record<SampleName, Sample> {
  const { origin, model, api_key } = call
  // Clients of Anthropic's API and Cherry Studio add /v1 themselves.
  const [base_url, outer_url] = [`${origin}/api/v1`, `${origin}/api`]
  const { fields } = samplesText
  return {
    curl: { codes: [{ code: curl(base_url, call) }] },
    openai_python: {
      note: samplesText.install('pip install openai'),
      codes: [{ code: openaiPython(base_url, call) }],
    },
    openai_node: {
      note: samplesText.install('npm install openai'),
      codes: [{ code: openaiNode(base_url, call) }],
    },
    anthropic: {
      note: samplesText.anthropicNote,
      codes: [
        { title: samplesText.python, code: anthropicPython(outer_url, call) },
        { title: samplesText.node, code: anthropicNode(outer_url, call) },
      ],
    },
    claude_code: {
      note: samplesText.claudeCodeNote,
      codes: [
        {
          title: samplesText.unix,
          code: claudeCode(outer_url, call, (name, value) => `export ${name}=${value}`),
        },
        {
          title: samplesText.windows,
          code: claudeCode(outer_url, call, (name, value) => `$env:${name}=${value}`),
        },
      ],
    },
    ai_sdk: {
      note: samplesText.install('npm install ai @ai-sdk/openai-compatible'),
      codes: [{ code: aiSdk(base_url, call) }],
    },
    cherry_studio: {
      note: samplesText.cherryStudioNote,
      settings: [
        { label: fields.name, value: fields.brand },
        { label: fields.type, value: 'OpenAI' },
        { label: fields.key, value: api_key },
        { label: fields.address, value: outer_url },
        { label: fields.model, value: model },
      ],
    },
    lobechat: {
      note: samplesText.lobechatNote,
      settings: [
        { label: fields.key, value: api_key },
        { label: fields.proxy, value: base_url },
        { label: fields.client, value: fields.off },
        { label: fields.model, value: model },
      ],
    },
  }
}

function curl(base_url: string, { model, api_key }: Call): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: samplesText.question }] })
  return `curl ${base_url}/chat/completions \\
  -H "Authorization: Bearer ${api_key}" \\
  -H "Content-Type: application/json" \\
  -d ${shell(body)}`
}

const openaiPython = (base_url: string, { model, api_key }: Call): string => `from openai import OpenAI

client = OpenAI(
    base_url=${quoted(base_url)},
    api_key=${quoted(api_key)},
)
answer = client.chat.completions.create(
    model=${quoted(model)},
    messages=[{"role": "user", "content": ${quoted(samplesText.question)}}],
)
print(answer.choices[0].message.content)`

const openaiNode = (base_url: string, { model, api_key }: Call): string => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: ${quoted(base_url)},
  apiKey: ${quoted(api_key)},
})
const answer = await client.chat.completions.create({
  model: ${quoted(model)},
  messages: [{ role: 'user', content: ${quoted(samplesText.question)} }],
})
console.log(answer.choices[0].message.content)`

const anthropicPython = (url: string, { model, api_key }: Call): string => `from anthropic import Anthropic

client = Anthropic(
    base_url=${quoted(url)},
    auth_token=${quoted(api_key)},
)
message = client.messages.create(
    model=${quoted(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": ${quoted(samplesText.question)}}],
)
print(message.content[0].text)`

const anthropicNode = (
  url: string,
  { model, api_key }: Call,
): string => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: ${quoted(url)},
  authToken: ${quoted(api_key)},
})
const message = await client.messages.create({
  model: ${quoted(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: ${quoted(samplesText.question)} }],
})
console.log(message.content[0].text)`

/** The small model is the one that names conversations and the like. */
const claudeCode = (
  url: string,
  { model, api_key }: Call,
  set: (name: string, value: string) => string,
): string =>
  [
    set('ANTHROPIC_BASE_URL', quoted(url)),
    set('ANTHROPIC_AUTH_TOKEN', quoted(api_key)),
    set('ANTHROPIC_MODEL', quoted(model)),
    set('ANTHROPIC_DEFAULT_HAIKU_MODEL', quoted(model)),
    'claude',
  ].join('\n')

const aiSdk = (
  base_url: string,
  { model, api_key }: Call,
): string => `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const wenqu = createOpenAICompatible({
  name: 'wenqu',
  baseURL: ${quoted(base_url)},
  apiKey: ${quoted(api_key)},
})
const { text } = await generateText({
  model: wenqu(${quoted(model)}),
  prompt: ${quoted(samplesText.question)},
})
console.log(text)`
