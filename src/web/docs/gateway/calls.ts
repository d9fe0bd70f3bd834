import { gatewayCallsText as text } from '../../text/gateway-calls.ts'

/** A call of the gateway with a command that makes it. */
export type GatewayCall = { method: string; path: string; title: string; about: string; code: string }

type Sent = {
  method?: 'GET' | 'POST'
  path: string
  body?: object
  /** Fields of a form, instead of a body. */
  form?: string[]
  /** What else the command needs. */
  more?: string
}

/** A shell command; between single quotes nothing of the JSON has a meaning. */
function command(base_url: string, { path, body, form = [], more }: Sent): string {
  const lines = [`curl ${base_url}${path}`, '  -H "Authorization: Bearer YOUR_API_KEY"']
  if (body) lines.push('  -H "Content-Type: application/json"', `  -d '${JSON.stringify(body)}'`)
  for (const field of form) lines.push(`  -F ${field}`)
  if (more) lines.push(`  ${more}`)
  return lines.join(' \\\n')
}

/** Every call of the gateway, in the order in which people need them. */
export function gatewayCalls(base_url: string): GatewayCall[] {
  const call = (words: { title: string; about: string }, sent: Sent): GatewayCall => ({
    ...words,
    method: sent.method ?? 'POST',
    path: sent.path,
    code: command(base_url, sent),
  })
  const messages = [{ role: 'user', content: text.question }]
  return [
    call(text.completions, { path: '/chat/completions', body: { model: 'deepseek-chat', messages } }),
    call(text.messages, {
      path: '/messages',
      body: { model: 'deepseek-chat', max_tokens: 1024, messages },
    }),
    call(text.responses, { path: '/responses', body: { model: 'deepseek-chat', input: text.question } }),
    call(text.embeddings, {
      path: '/embeddings',
      body: { model: 'text-embedding-v4', input: [text.sentence] },
    }),
    call(text.rerank, {
      path: '/rerank',
      body: {
        model: 'gte-rerank-v2',
        query: text.documentQuestion,
        documents: text.documents,
        top_n: 1,
      },
    }),
    call(text.images, {
      path: '/images/generations',
      body: { model: 'wanx2.1-t2i-turbo', prompt: text.picture, n: 1, size: '1024x1024' },
    }),
    call(text.speech, {
      path: '/audio/speech',
      body: { model: 'cosyvoice-v2', input: text.sentence, voice: 'longxiaochun_v2' },
      more: '-o speech.mp3',
    }),
    call(text.transcriptions, {
      path: '/audio/transcriptions',
      form: ['model=paraformer-v2', 'file=@speech.mp3'],
    }),
    call(text.models, { method: 'GET', path: '/models' }),
    call(text.background, { method: 'GET', path: '/chat/{id}' }),
  ]
}
