import type { TokenizerAndRendererExtension, Tokens } from 'marked'

const opening = /^ {0,3}<details(\s+open(?:="[^"]*")?)?\s*>[ \t]*\n?/i
const summary = /^\s*<summary(?:\s[^<>]*)?>([\s\S]*?)<\/summary>[ \t]*\n?/i
const tags = /<(\/?)details\b[^<>]*>|^ {0,3}(`{3,}|~{3,})[^\n]*$/gim

/** Returns the missing end of growing details: the fence that is open in them, then their closing tags. */
export function closeDetails(src: string): string {
  const { depth, fence } = findEnd(src)
  return (fence ? `\n${fence}` : '') + '\n</details>'.repeat(depth)
}

/** Finds the end of the details that begin `src`; the end of `src` if they are never closed. Tags inside fences do not count. */
function findEnd(src: string): { start: number; end: number; depth: number; fence: string } {
  let [depth, fence] = [0, '']
  for (const { 0: raw, 1: slash, 2: mark, index } of src.matchAll(tags)) {
    if (mark) fence = !fence ? mark : mark.startsWith(fence) && raw.trim() === mark ? '' : fence
    else if (!fence) depth += slash ? -1 : 1
    if (!depth && !mark) return { start: index, end: index + raw.length, depth, fence }
  }
  return { start: src.length, end: src.length, depth, fence }
}

/** `<details>` with Markdown inside. As on GitHub, blank lines do not end it. */
export const details: TokenizerAndRendererExtension = {
  name: 'details',
  level: 'block',
  tokenizer(src): Tokens.Generic | undefined {
    const head = opening.exec(src)
    if (!head) return undefined
    const { start, end } = findEnd(src)
    const inside = src.slice(head[0].length, start)
    const [title, words = ''] = summary.exec(inside) ?? ['']
    const tail = /^[ \t]*(?:\n+|$)/.exec(src.slice(end))?.[0] ?? ''
    return {
      type: 'details',
      raw: src.slice(0, end) + tail,
      // Details that are never closed must not hide the rest of an answer.
      isOpen: head[1] !== undefined || end === start,
      summary: this.lexer.inline(words.trim()),
      tokens: this.lexer.blockTokens(inside.slice(title.length).replace(/^\n+/, ''), []),
    }
  },
  childTokens: ['summary', 'tokens'],
  renderer(token) {
    const words = this.parser.parseInline(token.summary as Tokens.Generic[])
    const body = this.parser.parse(token.tokens ?? [])
    return `<details${token.isOpen ? ' open' : ''}><summary>${words}</summary>${body}</details>`
  },
}
