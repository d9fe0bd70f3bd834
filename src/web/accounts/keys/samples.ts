import type { CopyableField } from '#web/ui/CopyableFields.tsx'
import { samplesText } from '#web/text/docs/samples.ts'

export type SampleName = keyof typeof samplesText.tabs

/** `origin` is the site's. `api_key` may be a placeholder. */
export type SampleContext = { origin: string; model: string; api_key: string }

/** A piece of code, with a title where a sample has several; or settings to copy into a form. */
type CodeBlock = { title?: string; code: string }
export type Sample = { note?: string; codes: CodeBlock[] } | { note?: string; settings: CopyableField[] }

const quoteJson = (text: string): string => JSON.stringify(text)
/** Quotes for a POSIX shell, with single quotes. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Ready-to-use programs and settings that ask one question through the gateway. */
export function buildSamples(call: SampleContext): Record<SampleName, Sample> {
  const { origin, model, api_key } = call
  // Clients of Anthropic's API and Cherry Studio add /v1 themselves.
  const [baseUrl, outerUrl] = [`${origin}/api/v1`, `${origin}/api`]
  const { fields } = samplesText
  return {
    curl: { codes: [{ code: buildCurl(baseUrl, call) }] },
    openai_python: {
      note: samplesText.install('pip install openai'),
      codes: [{ code: buildOpenaiPython(baseUrl, call) }],
    },
    openai_node: {
      note: samplesText.install('npm install openai'),
      codes: [{ code: buildOpenaiNode(baseUrl, call) }],
    },
    anthropic: {
      note: samplesText.anthropicNote,
      codes: [
        { title: samplesText.python, code: buildAnthropicPython(outerUrl, call) },
        { title: samplesText.node, code: buildAnthropicNode(outerUrl, call) },
      ],
    },
    claude_code: {
      note: samplesText.claudeCodeNote,
      codes: [
        {
          title: samplesText.unix,
          code: buildClaudeCode(outerUrl, call, (name, value) => `export ${name}=${value}`),
        },
        {
          title: samplesText.windows,
          code: buildClaudeCode(outerUrl, call, (name, value) => `$env:${name}=${value}`),
        },
      ],
    },
    ai_sdk: {
      note: samplesText.install('npm install ai @ai-sdk/openai-compatible'),
      codes: [{ code: buildAiSdk(baseUrl, call) }],
    },
    cherry_studio: {
      note: samplesText.cherryStudioNote,
      settings: [
        { label: fields.name, value: fields.brand },
        { label: fields.type, value: 'OpenAI' },
        { label: fields.key, value: api_key },
        { label: fields.address, value: outerUrl },
        { label: fields.model, value: model },
      ],
    },
    lobechat: {
      note: samplesText.lobechatNote,
      settings: [
        { label: fields.key, value: api_key },
        { label: fields.proxy, value: baseUrl },
        { label: fields.client, value: fields.off },
        { label: fields.model, value: model },
      ],
    },
  }
}

function buildCurl(baseUrl: string, { model, api_key }: SampleContext): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: samplesText.question }] })
  return `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer ${api_key}" \\
  -H "Content-Type: application/json" \\
  -d ${quoteForShell(body)}`
}

const buildOpenaiPython = (
  baseUrl: string,
  { model, api_key }: SampleContext,
): string => `from openai import OpenAI

client = OpenAI(
    base_url=${quoteJson(baseUrl)},
    api_key=${quoteJson(api_key)},
)
answer = client.chat.completions.create(
    model=${quoteJson(model)},
    messages=[{"role": "user", "content": ${quoteJson(samplesText.question)}}],
)
print(answer.choices[0].message.content)`

const buildOpenaiNode = (
  baseUrl: string,
  { model, api_key }: SampleContext,
): string => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: ${quoteJson(baseUrl)},
  apiKey: ${quoteJson(api_key)},
})
const answer = await client.chat.completions.create({
  model: ${quoteJson(model)},
  messages: [{ role: 'user', content: ${quoteJson(samplesText.question)} }],
})
console.log(answer.choices[0].message.content)`

const buildAnthropicPython = (
  url: string,
  { model, api_key }: SampleContext,
): string => `from anthropic import Anthropic

client = Anthropic(
    base_url=${quoteJson(url)},
    auth_token=${quoteJson(api_key)},
)
message = client.messages.create(
    model=${quoteJson(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": ${quoteJson(samplesText.question)}}],
)
print(message.content[0].text)`

const buildAnthropicNode = (
  url: string,
  { model, api_key }: SampleContext,
): string => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: ${quoteJson(url)},
  authToken: ${quoteJson(api_key)},
})
const message = await client.messages.create({
  model: ${quoteJson(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: ${quoteJson(samplesText.question)} }],
})
console.log(message.content[0].text)`

/** ANTHROPIC_DEFAULT_HAIKU_MODEL is the small model, which names conversations and the like. */
const buildClaudeCode = (
  url: string,
  { model, api_key }: SampleContext,
  formatVariable: (name: string, value: string) => string,
): string =>
  [
    formatVariable('ANTHROPIC_BASE_URL', quoteJson(url)),
    formatVariable('ANTHROPIC_AUTH_TOKEN', quoteJson(api_key)),
    formatVariable('ANTHROPIC_MODEL', quoteJson(model)),
    formatVariable('ANTHROPIC_DEFAULT_HAIKU_MODEL', quoteJson(model)),
    'claude',
  ].join('\n')

const buildAiSdk = (
  baseUrl: string,
  { model, api_key }: SampleContext,
): string => `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const wenqu = createOpenAICompatible({
  name: 'wenqu',
  baseURL: ${quoteJson(baseUrl)},
  apiKey: ${quoteJson(api_key)},
})
const { text } = await generateText({
  model: wenqu(${quoteJson(model)}),
  prompt: ${quoteJson(samplesText.question)},
})
console.log(text)`
