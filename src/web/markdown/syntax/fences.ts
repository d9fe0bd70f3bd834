import type { Tokens } from 'marked'
import { parseLanguage } from './codeHtml.ts'

const opening = /^( {0,3})(`{3,}|~{3,})([^\n]*)(?:\n|$)/
const fenceLine = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*?)[ \t]*$/gm
const markdownLanguage = /^(?:markdown|md|mdx)$/i
/** Limit of the fences considered below the first, so that no text is scanned again and again. */
const MAX_FENCES = 200

/** A later fence of the same character that is long enough to end a block, with the range of its line. */
type Fence = { start: number; end: number; info: string }

/** A fenced block. `isUncertain`: appended text may still move its end. */
export type FencedCode = Tokens.Code & { isUncertain: boolean }

/**
 * Reads a fenced code block at the beginning of `src`. CommonMark ends it at the first bare fence, but models nest blocks: a
 * fence with an info string opens an inner one, and in a Markdown block so does a bare fence directly above text.
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
    const match = fenceLine.exec(src)
    if (!match) break
    const [line, fence = '', info = ''] = match
    if (fence.startsWith(opening)) fences.push({ start: match.index, end: match.index + line.length, info })
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
  // A block in another language that this rule never closes ends as CommonMark says.
  return { closing: isMarkdown ? undefined : fences.find(({ info }) => !info), isUncertain: true }
}

/** Tells whether a bare fence opens a block: a later fence ends that block, and one more ends the block around it. */
function isOpening(fences: readonly Fence[], at: number): boolean {
  const later = fences.slice(at + 1)
  const namedCount = later.filter(({ info }) => info).length
  return later[0]?.info === '' && later.length - namedCount > namedCount + 1
}
