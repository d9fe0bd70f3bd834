import type { JsonObject } from '../../llm/chat.ts'
import { objects } from '../../llm/dialects/event.ts'

const BYTES = Float32Array.BYTES_PER_ELEMENT

/**
 * Vectors in the encoding that was asked for, whatever the platform made of it: OpenAI's own clients ask for base64
 * (32-bit floats, the lowest byte first) where nobody said otherwise, and several platforms know floats only.
 */
export function encodedAs(wanted: unknown, answer: JsonObject): JsonObject {
  const encode = wanted === 'base64' ? toBase64 : toFloats
  const data = objects(answer.data).map((entry) => ({ ...entry, embedding: encode(entry.embedding) }))
  return { ...answer, data }
}

function toBase64(embedding: unknown): unknown {
  if (!Array.isArray(embedding)) return embedding
  const bytes = Buffer.allocUnsafe(embedding.length * BYTES)
  for (const [at, value] of embedding.entries()) bytes.writeFloatLE(Number(value), at * BYTES)
  return bytes.toString('base64')
}

function toFloats(embedding: unknown): unknown {
  if (typeof embedding !== 'string') return embedding
  const bytes = Buffer.from(embedding, 'base64')
  return Array.from({ length: Math.floor(bytes.length / BYTES) }, (_, at) => bytes.readFloatLE(at * BYTES))
}
