import type { ResponseInputItem } from '#contract/gateway/responses.ts'
import { asString, filterObjects } from '#server/core/json.ts'
import type { Reasoning, SignedReasoning } from '#server/llm/llm.ts'

/** Marks an `encrypted_content` of this gateway; those of others are not read. */
const PREFIX = 'wenqu1.'

/** Encodes signed reasoning as the `encrypted_content` that clients send back unread. */
export const encodeSigned = (signed: SignedReasoning[]): string =>
  PREFIX + Buffer.from(JSON.stringify(signed)).toString('base64url')

/** Reads the reasoning out of an item that a client sends back; null where there is none in it. */
export function parseReasoning({
  summary,
  content,
  encrypted_content,
}: Extract<ResponseInputItem, { type: 'reasoning' }>): Reasoning | null {
  const parts = content?.length ? content : (summary ?? [])
  const text = parts.flatMap((part) => part.text || []).join('\n\n')
  const signed = encrypted_content?.startsWith(PREFIX) ? decodeSigned(encrypted_content) : null
  return text || signed ? { text, ...(signed ? { signed } : {}) } : null
}

/** Null for a text that was not encoded here. */
function decodeSigned(encoded: string): SignedReasoning[] | null {
  try {
    const text = Buffer.from(encoded.slice(PREFIX.length), 'base64url').toString()
    return filterObjects(JSON.parse(text)).map(({ text: piece, signature, redacted }) => ({
      text: asString(piece),
      signature: asString(signature),
      ...(redacted === true ? { redacted } : {}),
    }))
  } catch {
    return null
  }
}
