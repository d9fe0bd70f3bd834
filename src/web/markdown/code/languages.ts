import type { LanguageFn } from 'highlight.js'

type Grammar = () => Promise<{ default: LanguageFn }>
/** The name of a grammar and the function that loads it. */
export type Language = readonly [name: string, load: Grammar]

/** Words that models write behind a fence, the grammar's own name first, and the grammar for them. */
const grammars: [names: string, load: Grammar][] = [
  ['bash sh shell zsh console', () => import('highlight.js/lib/languages/bash')],
  ['c h', () => import('highlight.js/lib/languages/c')],
  ['cpp c++ cc hpp', () => import('highlight.js/lib/languages/cpp')],
  ['csharp c# cs', () => import('highlight.js/lib/languages/csharp')],
  ['css', () => import('highlight.js/lib/languages/css')],
  ['diff patch', () => import('highlight.js/lib/languages/diff')],
  ['dockerfile docker', () => import('highlight.js/lib/languages/dockerfile')],
  ['go golang', () => import('highlight.js/lib/languages/go')],
  ['ini toml', () => import('highlight.js/lib/languages/ini')],
  ['java', () => import('highlight.js/lib/languages/java')],
  ['javascript js jsx mjs', () => import('highlight.js/lib/languages/javascript')],
  ['json json5 jsonc', () => import('highlight.js/lib/languages/json')],
  ['kotlin kt', () => import('highlight.js/lib/languages/kotlin')],
  ['latex tex', () => import('highlight.js/lib/languages/latex')],
  ['lua', () => import('highlight.js/lib/languages/lua')],
  ['makefile make', () => import('highlight.js/lib/languages/makefile')],
  ['markdown md', () => import('highlight.js/lib/languages/markdown')],
  ['matlab', () => import('highlight.js/lib/languages/matlab')],
  ['nginx', () => import('highlight.js/lib/languages/nginx')],
  ['php', () => import('highlight.js/lib/languages/php')],
  ['powershell ps1', () => import('highlight.js/lib/languages/powershell')],
  ['python py python3', () => import('highlight.js/lib/languages/python')],
  ['r', () => import('highlight.js/lib/languages/r')],
  ['ruby rb', () => import('highlight.js/lib/languages/ruby')],
  ['rust rs', () => import('highlight.js/lib/languages/rust')],
  ['scss', () => import('highlight.js/lib/languages/scss')],
  ['sql mysql postgresql pgsql', () => import('highlight.js/lib/languages/sql')],
  ['swift', () => import('highlight.js/lib/languages/swift')],
  ['typescript ts tsx', () => import('highlight.js/lib/languages/typescript')],
  ['xml html svg vue', () => import('highlight.js/lib/languages/xml')],
  ['yaml yml', () => import('highlight.js/lib/languages/yaml')],
]

export const languages: ReadonlyMap<string, Language> = new Map(
  grammars.flatMap(([names, load]) => {
    const all = names.split(' ')
    return all.map((alias): [string, Language] => [alias, [all[0] ?? alias, load]])
  }),
)
