import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { resolveUsage } from './script.ts'
import type { ScriptedRequest, Script, ProtocolDouble } from './script.ts'

/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const TRANSCRIPT = '问渠那得清如许'
const SOUND_CHUNK_BYTES = 4_000

/** Silence: 16 bits, 8,000 a second, one channel. */
export function createWav(seconds: number): Buffer<ArrayBuffer> {
  const size = Math.round(seconds * 8_000) * 2
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + size, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(16_000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(size, 40)
  return Buffer.concat([head, Buffer.alloc(size)])
}

/** Makes sound that is the same for the same text, and differs for another. */
export function createSound(text: string, size = 16_000): Buffer {
  const seed = createHash('sha256').update(text).digest()
  return Buffer.alloc(size, seed)
}

const DIMENSIONS = 256
/** The double's knowledge of English: a real model sees that texts of two languages say the same. */
const TRANSLATIONS: Record<string, string> = {
  'annual leave of permanent staff': '正式员工每年享有年假',
  'how long the warranty is': '的保修期为几年',
}

/** Digests of pairs of characters, of which texts share most. */
const pairDigests = new Map<string, Buffer>()
function getPairDigest(pair: string): Buffer {
  const known = pairDigests.get(pair)
  if (known) return known
  const digest = createHash('sha256').update(pair).digest()
  pairDigests.set(pair, digest)
  return digest
}

/**
 * Returns the vector of a text, always the same; two vectors are the more alike the more pairs of characters their texts share.
 * Every number of it is exact in 32 bits.
 */
export function createVector(input: unknown): number[] {
  let text = typeof input === 'string' ? input.toLowerCase() : JSON.stringify(input)
  for (const [english, chinese] of Object.entries(TRANSLATIONS)) text = text.replaceAll(english, chinese)
  const vector = Array.from({ length: DIMENSIONS }, () => 1 / 128)
  for (let at = 0; at + 1 < text.length; at++) {
    const digest = getPairDigest(text.slice(at, at + 2))
    for (let n = 0; n < 8; n++) vector[digest[n]! % DIMENSIONS]! += (digest[n + 8]! % 2 ? 1 : -1) / 128
  }
  return vector
}

/** Returns the fields of a multipart form; a file with its name, type and size. Undefined for another body. */
export async function parseForm(
  sent: Buffer<ArrayBuffer>,
  headers: IncomingHttpHeaders,
): Promise<Record<string, unknown> | undefined> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return undefined
  const form = await new Response(sent, { headers: { 'content-type': type } }).formData()
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form) {
    fields[name] =
      typeof value === 'string' ? value : { name: value.name, type: value.type, size: value.size }
  }
  return fields
}

type Body = Record<string, unknown>

/** Returns the double of a call besides chat; undefined for another path. */
export function resolveOperation(path: string): ProtocolDouble | undefined {
  if (path.endsWith('/embeddings')) return jsonOperation('input', createEmbeddings)
  if (path.endsWith('/rerank')) return jsonOperation('query', createRerank)
  if (path.endsWith('/images/generations')) return jsonOperation('prompt', createImages)
  if (path.endsWith('/audio/transcriptions')) return transcriptions
  return path.endsWith('/audio/speech') ? speech : undefined
}

const renderError: ProtocolDouble['renderError'] = (status) => ({
  error: { message: 'scripted', code: status },
})

/** The request with its body, since an answer is made of all of it. */
type OperationRequest = ScriptedRequest & { body: Body }

const parseOperationRequest = (body: unknown, question: string, stream: boolean): OperationRequest => {
  const sent = body as Body
  return { model: String(sent.model), question: String(sent[question]), stream, body: sent }
}
const getBody = (asked: ScriptedRequest): Body => (asked as OperationRequest).body

/** A double whose answer is one JSON object. */
function jsonOperation(question: string, answer: (body: Body, script: Script) => object): ProtocolDouble {
  return {
    parseRequest: (_, body) => parseOperationRequest(body, question, false),
    renderBody: (asked, script) => ({ ...answer(getBody(asked), script), ...script.answer }),
    renderFrames: () => [],
    renderError,
  }
}

/** https://platform.openai.com/docs/api-reference/embeddings/object */
function createEmbeddings({ input, model, encoding_format }: Body, script: Script): object {
  const inputs = Array.isArray(input) && typeof input[0] !== 'number' ? input : [input]
  const data = inputs.map((one, index) => {
    const vector = createVector(one)
    const base64 = Buffer.from(new Float32Array(vector).buffer).toString('base64')
    return { object: 'embedding', index, embedding: encoding_format === 'base64' ? base64 : vector }
  })
  const tokens = inputs.reduce((sum, one) => sum + String(one).length, 0)
  return {
    object: 'list',
    data,
    model,
    usage: resolveUsage(script, { prompt_tokens: tokens, total_tokens: tokens }),
  }
}

/** In Jina's shape (https://jina.ai/reranker); longer documents rank higher. */
function createRerank({ documents, model, query, top_n, return_documents }: Body, script: Script): object {
  const texts = (documents as (string | { text: string })[]).map((one) =>
    typeof one === 'string' ? one : one.text,
  )
  const results = texts
    .map((text, index) => ({ index, relevance_score: 1 - 1 / (1 + text.length), document: { text } }))
    .sort((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, typeof top_n === 'number' ? top_n : texts.length)
    .map(({ document, ...rest }) => (return_documents ? { ...rest, document } : rest))
  const totalTokens = texts.reduce((sum, text) => sum + text.length + String(query).length, 0)
  return { id: 'script-rerank', model, results, usage: resolveUsage(script, { total_tokens: totalTokens }) }
}

/** https://platform.openai.com/docs/api-reference/images/object */
function createImages({ n, response_format, prompt }: Body): object {
  const data = Array.from({ length: typeof n === 'number' ? n : 1 }, (_, nth) =>
    response_format === 'b64_json'
      ? { b64_json: PNG.toString('base64'), revised_prompt: prompt }
      : { url: `https://pictures.example/${nth}.png` },
  )
  return { created: 1_700_000_000, data }
}

/** https://platform.openai.com/docs/api-reference/audio/createSpeech */
const speech: ProtocolDouble = {
  media_type: 'audio/mpeg',
  parseRequest: (_, body) => parseOperationRequest(body, 'input', true),
  renderBody: (_, script) => ({ ...script.answer }),
  *renderFrames({ question }, { sound }) {
    const bytes = createSound(question, sound)
    for (let at = 0; at < bytes.length; at += SOUND_CHUNK_BYTES)
      yield bytes.subarray(at, at + SOUND_CHUNK_BYTES)
  },
  renderError,
}

/** https://platform.openai.com/docs/api-reference/audio/createTranscription */
const transcriptions: ProtocolDouble = {
  media_type: 'text/plain; charset=utf-8',
  parseRequest(_, body) {
    const format = (body as Body).response_format
    const plain = format === 'text' || format === 'srt' || format === 'vtt'
    // A model without a script repeats the question, which the double cannot read in a recording.
    return { ...parseOperationRequest(body, 'model', plain), question: TRANSCRIPT }
  },
  renderBody(asked, { text = TRANSCRIPT, answer }) {
    const verbose = {
      task: 'transcribe',
      language: 'chinese',
      duration: 2.5,
      segments: [{ id: 0, start: 0, end: 2.5, text }],
    }
    return { ...(getBody(asked).response_format === 'verbose_json' ? verbose : {}), text, ...answer }
  },
  renderFrames: (asked, { text = TRANSCRIPT }) => [
    getBody(asked).response_format === 'text' ? `${text}\n` : `1\n00:00:00,000 --> 00:00:02,500\n${text}\n\n`,
  ],
  renderError,
}
