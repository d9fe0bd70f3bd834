import type { Tokens } from 'marked'

const kinds = ['note', 'tip', 'important', 'warning', 'caution'] as const
export type AlertKind = (typeof kinds)[number]

const marker = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** Returns the kind of a quotation that begins with `[!NOTE]` (GitHub's syntax), and the text below that line. */
export function readAlert({
  text,
}: Pick<Tokens.Blockquote, 'text'>): { kind: AlertKind; text: string } | undefined {
  const match = marker.exec(text)
  const kind = kinds.find((one) => one === match?.[1]?.toLowerCase())
  return match && kind ? { kind, text: text.slice(match[0].length) } : undefined
}
