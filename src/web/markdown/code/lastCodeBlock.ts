import { readFence } from '../syntax/fences.ts'

/** A line that begins with a fence, perhaps in a list or a quotation. */
const fenceLine = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?=`{3}|~{3})/

/** Returns the last code block of an answer without its fence and language, or null. A block may still be open. */
export function getLastCodeBlock(markdown: string): string | null {
  const lines = markdown.split('\n')
  let last: string | null = null
  for (let i = 0; i < lines.length; i++) {
    const indent = fenceLine.exec(lines[i] ?? '')?.[0].length
    if (indent === undefined) continue
    const inside = new RegExp(`^[ \\t>]{0,${indent}}`)
    const [first = '', ...rest] = lines.slice(i)
    const code = readFence([first.slice(indent), ...rest.map((line) => line.replace(inside, ''))].join('\n'))
    if (!code) continue
    if (code.text) last = code.text
    i += code.raw.split('\n').length - 1
  }
  return last
}
