import { createHash } from 'node:crypto'
import { transcriptionRequest } from '#contract/works.ts'
import { AppError } from '../../core/app-error.ts'
import type { ModelEntry } from '../../llm/catalogue-schema.ts'
import { estimateTokens } from '../../llm/estimate.ts'
import { durationOf } from '../../llm/works/duration.ts'
import { embeddingsWork, inputsOf } from '../../llm/works/embeddings.ts'
import { imagesWork } from '../../llm/works/images.ts'
import { documentsOf, rerankWork } from '../../llm/works/rerank.ts'
import { speechWork } from '../../llm/works/speech.ts'
import { transcriptionWork } from '../../llm/works/transcription.ts'
import type { Work, WorkPath } from '../../llm/works/work.ts'
import { parseWith } from '../body/bodies.ts'
import type { Bodies } from '../body/bodies.ts'
import type { Exchange } from '../exchange.ts'
import type { payer } from '../request.ts'
import { readUpload } from './form.ts'

/** A call as it was read. */
export type Asked = {
  model: string
  wish: Parameters<typeof payer>[2]
  /** What an Idempotency-Key stands for. */
  body: unknown
  /** Throws AppError: a text that the model cannot hold, a recording that cannot be read. */
  work(model: ModelEntry): Promise<Work> | Work
  /** Tokens that count for the key's rate. */
  tokens: () => number
}

/** The type of model that does a work. */
export const WORK_TYPES: Record<WorkPath, ModelEntry['type']> = {
  '/embeddings': 'embedding',
  '/rerank': 'rerank',
  '/images/generations': 'image',
  '/audio/speech': 'tts',
  '/audio/transcriptions': 'asr',
}

export const isWorkPath = (path: string): path is WorkPath => Object.hasOwn(WORK_TYPES, path)

/** Reads the body of a call. Throws AppError bad_request with the fields at fault, payload_too_large, overloaded. */
export const readAsked = (path: WorkPath, bodies: Bodies, exchange: Exchange): Promise<Asked> =>
  READERS[path](bodies, exchange)

const READERS: Record<WorkPath, (bodies: Bodies, exchange: Exchange) => Promise<Asked>> = {
  async '/embeddings'(bodies, exchange) {
    const body = await bodies.read(exchange, 'embedding')
    const inputs = inputsOf(body.input)
    return asked(body, inputs, (json, { id }) => embeddingsWork(id, json))
  },
  async '/rerank'(bodies, exchange) {
    const body = await bodies.read(exchange, 'rerank')
    const texts = [body.query, ...documentsOf(body.documents)]
    return asked(body, texts, (json, { id }) => rerankWork(id, json))
  },
  async '/images/generations'(bodies, exchange) {
    const body = await bodies.read(exchange, 'image')
    return asked(body, [body.prompt], imagesWork)
  },
  async '/audio/speech'(bodies, exchange) {
    const body = await bodies.read(exchange, 'speech')
    return asked(body, [body.input], speechWork)
  },
  async '/audio/transcriptions'(bodies, exchange) {
    const { file, fields } = await readUpload(bodies, exchange)
    const { model, ...wish } = parseWith(transcriptionRequest, Object.fromEntries(fields))
    const hash = createHash('sha256').update(Buffer.from(await file.arrayBuffer()))
    return {
      model,
      wish,
      body: [fields, file.name, hash.digest('base64url')],
      tokens: () => 0,
      async work() {
        const duration_ms = await durationOf(file)
        if (duration_ms === null) throw new AppError('audio_unreadable')
        return transcriptionWork({ file, duration_ms, fields: fields.filter(([name]) => !OURS.has(name)) })
      },
    }
  },
}

/** Fields that no platform is told. */
const OURS = new Set(['model', 'retries', 'provider_sort'])
/** No tokenizer makes a token of more characters than this on the average; what has more cannot fit the model. */
const CHARS_PER_TOKEN = 8
/** Types whose models say how much text they can hold. */
const HOLDS_TEXT: ModelEntry['type'][] = ['embedding', 'rerank']

/** `texts` are what the model is given, or tokens that a client has made of them. */
function asked<T extends Asked['wish'] & { model: string }>(
  body: T,
  texts: (string | number[])[],
  workOf: (json: T, model: ModelEntry) => Work,
): Asked {
  const { model, retries, provider_sort } = body
  return {
    model,
    wish: { retries, provider_sort },
    body,
    tokens: () =>
      texts.reduce(
        (sum, text) => sum + (typeof text === 'string' ? estimateTokens(text, model) : text.length),
        0,
      ),
    work(entry) {
      const room = (text: string | number[]): number =>
        entry.context_window * (typeof text === 'string' ? CHARS_PER_TOKEN : 1)
      if (HOLDS_TEXT.includes(entry.type) && texts.some((text) => text.length > room(text)))
        throw new AppError('context_length_exceeded')
      // JSON leaves out what is undefined.
      return workOf({ ...body, retries: undefined, provider_sort: undefined }, entry)
    },
  }
}
