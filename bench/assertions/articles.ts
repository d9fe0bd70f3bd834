import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { getHtmlText } from './html.ts'
import { readFile } from './read.ts'

/** A page of Readability's tests with the F1 of our article's words against those of the article that its tests expect. */
export type ArticleScore = { page: string; f1: number; missing: string[]; added: string[] }

export const READABILITY = {
  name: 'readability',
  repository: 'https://github.com/mozilla/readability',
  folders: ['test/test-pages'],
}

/** Reads each page of the tests as an article. */
export async function scoreArticles(clone: string): Promise<ArticleScore[]> {
  const scores: ArticleScore[] = []
  for (const path of globSync(`${clone}/test/test-pages/*/source.html`).toSorted()) {
    const expected = readFileSync(path.replace(/source\.html$/, 'expected.html'), 'utf8')
    const { text } = await readFile(path, true)
    scores.push({
      page: basename(dirname(path)),
      ...compareWords(listWords(getHtmlText(expected)), listWords(getMarkdownText(text))),
    })
  }
  return scores
}

/** Returns the words of our Markdown, without the addresses of its links and the descriptions of its pictures. */
const getMarkdownText = (markdown: string): string =>
  markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\]\((?:[^()\n]|\([^()\n]*\))*\)/g, ']')
    .replace(/<\/?(?:br|su[bp]|u|ins)>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
    .replace(/\\(?![\p{L}\p{N}])|[*`~]/gu, '')

/** Words are runs of letters and digits; a Chinese character or kana is a word. */
const listWords = (text: string): string[] =>
  text
    .normalize('NFKC')
    // Our numbers of lists are the browser's in theirs.
    .replace(/^[\s>|]*(?:\d+[.)]|[-*+])\s/gm, '')
    .replace(/[\u00AD\u200B]/g, '')
    .toLowerCase()
    .match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+/gu,
    ) ?? []

function compareWords(expected: string[], own: string[]): Omit<ArticleScore, 'page'> {
  const left = new Map<string, number>()
  for (const word of own) left.set(word, (left.get(word) ?? 0) + 1)
  const missing = expected.filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count <= 0
  })
  const found = expected.length - missing.length
  const added = [...left].flatMap(([word, count]) => Array.from({ length: Math.max(0, count) }, () => word))
  const all = expected.length + own.length
  return { f1: all ? (2 * found) / all : 1, missing, added }
}
