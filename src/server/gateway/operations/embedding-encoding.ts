import { filterObjects } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'

const BYTES_PER_FLOAT = Float32Array.BYTES_PER_ELEMENT

/**
 * Vectors in the encoding that was asked for, whatever the platform made of it: OpenAI's own clients ask for base64
 * (32-bit floats, the lowest byte first) where nobody said otherwise, and several platforms know floats only.
 */
export function encodeEmbeddings(encoding: unknown, answer: JsonObject): JsonObject {
  const encode = encoding === 'base64' ? toBase64 : toFloats
  const data = filterObjects(answer.data).map((entry) => ({ ...entry, embedding: encode(entry.embedding) }))
  return { ...answer, data }
}

function toBase64(embedding: unknown): unknown {
  if (!Array.isArray(embedding)) return embedding
  const bytes = Buffer.allocUnsafe(embedding.length * BYTES_PER_FLOAT)
  for (const [index, value] of embedding.entries()) bytes.writeFloatLE(Number(value), index * BYTES_PER_FLOAT)
  return bytes.toString('base64')
}

function toFloats(embedding: unknown): unknown {
  if (typeof embedding !== 'string') return embedding
  const bytes = Buffer.from(embedding, 'base64')
  return Array.from({ length: Math.floor(bytes.length / BYTES_PER_FLOAT) }, (_, index) =>
    bytes.readFloatLE(index * BYTES_PER_FLOAT),
  )
}
