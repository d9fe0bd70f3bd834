import type { TargetLanguage } from '#contract/translate/languages.ts'
import { openPlain } from '../plain/rewrite.ts'
import type { Syntax } from '../rewriting/blocks.ts'
import type { Opened } from '../rewriting/draft.ts'

const syntax: Syntax = { write: (text) => JSON.stringify(text).slice(1, -1) }
const TOKEN = /"((?:[^"\\\r\n]|\\.)*)"(\s*:)?|[{}[\]]|\n/g

/**
 * Opens an Application Resource Bundle of Flutter: its messages. Keys that begin with `@` are about a message or the file, and stay,
 * but `@@locale`, which becomes the translation's language.
 */
export const openArb = (bytes: Buffer, _name: string, _format: string, target?: TargetLanguage): Opened =>
  openPlain(
    bytes,
    'arb',
    syntax,
    (part, draft) => {
      let [key, depth, line] = ['', 0, 1]
      for (const { 0: token, 1: inner, 2: colon, index } of part.source.matchAll(TOKEN)) {
        if (token === '\n') line++
        else if (inner === undefined) depth += /[{[]/.test(token) ? 1 : -1
        else if (colon) key = inner
        else if (depth === 1 && !key.startsWith('@')) {
          const text = parseString(inner)
          const node = { kind: 'text' as const, start: index + 1, end: index + token.length - 1 }
          if (text !== undefined) draft.add(part, [{ ...node, text }], { line })
        }
      }
    },
    { finish: (source) => (target ? nameLocale(source, target) : source) },
  )

const nameLocale = (source: string, target: TargetLanguage): string =>
  source.replace(/("@@locale"\s*:\s*")[^"\\]*"/, (_, head: string) => `${head}${target.replace('-', '_')}"`)

function parseString(inner: string): string | undefined {
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return undefined
  }
}
