import { isJson } from '../../llm/dialects/event.ts'
import type { Head } from './completion.ts'

/**
 * Hands chunks of OpenAI's shape on as they came, under the names of this completion. All chunks of a stream begin with
 * the same fields: those are read and written once, and what follows them is not looked at. Null for a chunk that does not
 * begin so: it is to be written anew.
 */
export function openRename(head: Head): (raw: string) => string | null {
  let theirs: string | null = null
  let ours = ''
  return (raw) => {
    if (raw.includes('\n')) return null
    if (theirs === null || !raw.startsWith(theirs)) {
      const begin = raw.slice(0, Math.max(0, raw.indexOf('"choices"')))
      const fields = fieldsOf(begin)
      if (!fields) return null
      theirs = begin
      ours = `${JSON.stringify({ ...fields, ...head, object: 'chat.completion.chunk' }).slice(0, -1)},`
    }
    return ours + raw.slice(theirs.length)
  }
}

/** What stands before the choices; null unless the names are all there, so that none can follow. */
function fieldsOf(begin: string): object | null {
  try {
    const fields: unknown = JSON.parse(`${begin.replace(/,\s*$/, '')}}`)
    return isJson(fields) && ['id', 'object', 'created', 'model'].every((name) => name in fields)
      ? fields
      : null
  } catch {
    return null
  }
}
