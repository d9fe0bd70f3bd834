import { isJsonObject } from '#server/core/json.ts'
import type { CompletionHeader } from './response.ts'

/**
 * Hands chunks of OpenAI's shape on as they came, under the names of this completion. All chunks of a stream begin with
 * the same fields: those are read and written once, and what follows them is not looked at. Null for a chunk that does not
 * begin so: it is to be written anew.
 */
export function createChunkRewriter(head: CompletionHeader): (raw: string) => string | null {
  let upstream_prefix: string | null = null
  let own_prefix = ''
  return (raw) => {
    if (raw.includes('\n')) return null
    if (upstream_prefix === null || !raw.startsWith(upstream_prefix)) {
      const begin = raw.slice(0, Math.max(0, raw.indexOf('"choices"')))
      const fields = parseLeadingFields(begin)
      if (!fields) return null
      upstream_prefix = begin
      own_prefix = `${JSON.stringify({ ...fields, ...head, object: 'chat.completion.chunk' }).slice(0, -1)},`
    }
    return own_prefix + raw.slice(upstream_prefix.length)
  }
}

/** What stands before the choices; null unless the names are all there, so that none can follow. */
function parseLeadingFields(begin: string): object | null {
  try {
    const fields: unknown = JSON.parse(`${begin.replace(/,\s*$/, '')}}`)
    return isJsonObject(fields) && ['id', 'object', 'created', 'model'].every((name) => name in fields)
      ? fields
      : null
  } catch {
    return null
  }
}
