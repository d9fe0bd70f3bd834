import type { TokenizerAndRendererExtension, Tokens } from 'marked'
import { findOpaqueSpans } from './opaqueSpans.ts'

const opening = /^(\*{1,3}|_{1,3}|~~)(?![\s*_~])/
const punctuation = /[\p{P}\p{S}]/u
const chinese = /[\u2018-\u201d\u2026\u3000-\u303f\u3400-\u9fff\uff00-\uffef]/

/**
 * Reads emphasis that CommonMark's flanking rule refuses, because punctuation stands inside the marks and Chinese, which has no
 * spaces, outside: `**强调：**后文`, `这是**\`code\`**的说明`. Models write it all the time, so it is taken as meant. Emphasis that the
 * rule allows is left to marked.
 */
export const emphasis: TokenizerAndRendererExtension = {
  name: 'emphasis',
  level: 'inline',
  tokenizer(src, tokens) {
    const mark = opening.exec(src)?.[1]
    if (!mark) return undefined
    const before = tokens.at(-1)?.raw.at(-1) ?? ''
    if (before === mark.charAt(0)) return undefined
    const line = src.split('\n', 1)[0] ?? ''
    const end = findClosing(line, mark)
    if (end < 0) return undefined
    const text = src.slice(mark.length, end)
    const after = src.charAt(end + mark.length)
    if (!isRefused(before, text.charAt(0), mark) && !isRefused(after, text.at(-1) ?? '', mark))
      return undefined
    return createToken(mark, text, this.lexer.inlineTokens(text))
  },
}

/** Tells whether CommonMark sees no edge of emphasis between the characters outside and inside, though Chinese has one there. */
function isRefused(outside: string, inside: string, mark: string): boolean {
  if (!outside || /\s/.test(outside) || !punctuation.test(inside) || punctuation.test(outside)) return false
  if (mark.startsWith('_') && /\w/.test(outside)) return false
  return chinese.test(outside) || chinese.test(inside)
}

/** Returns the position of the mark that closes emphasis on its line. */
function findClosing(line: string, mark: string): number {
  const sign = mark.charAt(0)
  const spans = findOpaqueSpans(line)
  let span = 0
  for (let i = mark.length; i < line.length;) {
    while ((spans[span]?.end ?? Infinity) <= i) span++
    if (spans[span]?.start === i) {
      i = spans[span]?.end ?? line.length
      continue
    }
    const char = line.charAt(i)
    if (char === '\\') i += 2
    else if (char !== sign) i++
    else {
      const start = i
      while (line.charAt(i) === sign) i++
      if (i - start === mark.length && !/\s/.test(line.charAt(start - 1))) return start
    }
  }
  return -1
}

function createToken(mark: string, text: string, tokens: Tokens.Generic['tokens'] = []): Tokens.Generic {
  const raw = mark + text + mark
  if (mark === '~~') return { type: 'del', raw, text, tokens }
  const strong = {
    type: 'strong',
    raw: raw.slice(mark.length % 2, raw.length - (mark.length % 2)),
    text,
    tokens,
  }
  if (mark.length === 1) return { type: 'em', raw, text, tokens }
  return mark.length === 2 ? strong : { type: 'em', raw, text: strong.raw, tokens: [strong] }
}
