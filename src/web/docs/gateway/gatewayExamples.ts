import { gatewayCallsText as text } from '#web/text/docs/gatewayCalls.ts'

/** A call of the gateway with a command that makes it. */
export type GatewayExample = { method: string; path: string; title: string; about: string; code: string }

type ExampleRequest = {
  method?: 'GET' | 'POST'
  path: string
  body?: object
  /** Fields of a form, instead of a body. */
  form?: string[]
  /** What else the command needs. */
  extraArguments?: string
}

/** A shell command; between single quotes nothing of the JSON has a meaning. */
function buildCurlCommand(
  base_url: string,
  { path, body, form = [], extraArguments }: ExampleRequest,
): string {
  const lines = [`curl ${base_url}${path}`, '  -H "Authorization: Bearer YOUR_API_KEY"']
  if (body) lines.push('  -H "Content-Type: application/json"', `  -d '${JSON.stringify(body)}'`)
  for (const field of form) lines.push(`  -F ${field}`)
  if (extraArguments) lines.push(`  ${extraArguments}`)
  return lines.join(' \\\n')
}

/** Every call of the gateway, in the order in which people need them. */
export function buildGatewayExamples(base_url: string): GatewayExample[] {
  const createExample = (
    words: { title: string; about: string },
    request: ExampleRequest,
  ): GatewayExample => ({
    ...words,
    method: request.method ?? 'POST',
    path: request.path,
    code: buildCurlCommand(base_url, request),
  })
  const messages = [{ role: 'user', content: text.question }]
  return [
    createExample(text.completions, {
      path: '/chat/completions',
      body: { model: 'deepseek-chat', messages },
    }),
    createExample(text.messages, {
      path: '/messages',
      body: { model: 'deepseek-chat', max_tokens: 1024, messages },
    }),
    createExample(text.responses, {
      path: '/responses',
      body: { model: 'deepseek-chat', input: text.question },
    }),
    createExample(text.embeddings, {
      path: '/embeddings',
      body: { model: 'text-embedding-v4', input: [text.sentence] },
    }),
    createExample(text.rerank, {
      path: '/rerank',
      body: {
        model: 'gte-rerank-v2',
        query: text.documentQuestion,
        documents: text.documents,
        top_n: 1,
      },
    }),
    createExample(text.images, {
      path: '/images/generations',
      body: { model: 'wanx2.1-t2i-turbo', prompt: text.picture, n: 1, size: '1024x1024' },
    }),
    createExample(text.speech, {
      path: '/audio/speech',
      body: { model: 'cosyvoice-v2', input: text.sentence, voice: 'longxiaochun_v2' },
      extraArguments: '-o speech.mp3',
    }),
    createExample(text.transcriptions, {
      path: '/audio/transcriptions',
      form: ['model=paraformer-v2', 'file=@speech.mp3'],
    }),
    createExample(text.models, { method: 'GET', path: '/models' }),
    createExample(text.background, { method: 'GET', path: '/chat/{id}' }),
  ]
}
