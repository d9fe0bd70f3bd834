import type { Tokens } from 'marked'
import { parseLanguage } from './codeHtml.ts'

const opening = /^( {0,3})(`{3,}|~{3,})([^\n]*)(?:\n|$)/
const fenceLine = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*?)[ \t]*$/gm
const markdownLanguage = /^(?:markdown|md|mdx)$/i
/** So many fences below the first are looked at, so that no text is read again and again. */
const MAX_FENCES = 200

/** A later fence of the same sign that is long enough to end a block: where its line begins and ends. */
type Fence = { start: number; end: number; info: string }

/** A fenced block. `isUncertain`: text that is added may still move its end. */
export type FencedCode = Tokens.Code & { isUncertain: boolean }

/**
 * A fenced code block at the beginning of `src`. CommonMark ends it at the first bare fence. Models put blocks into each
 * other: a fence with an info string opens one inside, and in a block of markdown so does a bare one directly above text.
 */
export function readFence(src: string): FencedCode | undefined {
  const [head, indent = '', mark = '', rest = ''] = opening.exec(src) ?? []
  if (head === undefined || (mark.startsWith('`') && rest.includes('`'))) return undefined
  const info = rest.trim()
  const fences = findFences(src, head.length, mark)
  const isMarkdown = markdownLanguage.test(parseLanguage(info))
  const { closing, isUncertain } = findClosing(src, fences, isMarkdown)
  const raw = src.slice(0, closing?.end)
  const body = closing
    ? src.slice(head.length, Math.max(head.length, closing.start - 1))
    : src.slice(head.length).replace(/\n$/, '')
  const text = indent ? body.replace(new RegExp(`^ {0,${indent.length}}`, 'gm'), '') : body
  return { type: 'code', raw, text, lang: info.replace(/\\(?=[!-/:-@[-`{-~])/g, ''), isUncertain }
}

function findFences(src: string, from: number, opening: string): Fence[] {
  const fences: Fence[] = []
  fenceLine.lastIndex = from
  while (fences.length < MAX_FENCES) {
    const found = fenceLine.exec(src)
    if (!found) break
    const [line, fence = '', info = ''] = found
    if (fence.startsWith(opening)) fences.push({ start: found.index, end: found.index + line.length, info })
  }
  return fences
}

function findClosing(
  src: string,
  fences: readonly Fence[],
  isMarkdown: boolean,
): { closing?: Fence | undefined; isUncertain: boolean } {
  let [depth, isUncertain] = [0, false]
  for (const [i, fence] of fences.entries()) {
    if (fence.info) depth++
    else if (depth > 0) depth--
    else {
      const isAboveText = isMarkdown && /^\n[^\n]*\S/.test(src.slice(fence.end, fence.end + 200))
      isUncertain ||= isAboveText
      if (!isAboveText || !isOpening(fences, i)) return { closing: fence, isUncertain }
      depth++
    }
  }
  // Code of another language that is never closed so ends as CommonMark says.
  return { closing: isMarkdown ? undefined : fences.find(({ info }) => !info), isUncertain: true }
}

/** Tells whether a bare fence opens a block: another one follows that ends it, and one more that ends the block around it. */
function isOpening(fences: readonly Fence[], at: number): boolean {
  const later = fences.slice(at + 1)
  const named = later.filter(({ info }) => info).length
  return later[0]?.info === '' && later.length - named > named + 1
}
