import { posix } from 'node:path'
import { parseSync, Visitor } from 'vite'

/** One file of the project; `path` from its root, with slashes. */
export type Source = { path: string; text: string }

type Import = {
  /** A file of the project (src/…), or the name of a package. */
  target: string
  /** The import begins with a dot: a path relative to the importing file. */
  is_relative: boolean
  /** `type`: gone at run time. `import { type X }` is not, it still loads the file. */
  kind: 'value' | 'type'
}

export type Module = Source & {
  imports: Import[]
  anyCount: number
  /** Texts of the comments, without their first slash; lines of `//` that follow each other are one. */
  comments: string[]
  lines: number
  /** Texts between tags and quoted attribute values: `<p>text</p>`, `title="text"`. */
  jsxTexts: string[]
}

/**
 * Returns a message for each violation: its place, the fault, the reason, and the remedy.
 *
 * ```ts
 * export const noAny: Rule = (modules) =>
 *   modules
 *     .filter(({ anyCount }) => anyCount > 0)
 *     .map(({ path }) => `${path} says any, which switches the checks off. Write unknown, and narrow it.`)
 *
 * export const noFs = createImportRule((from, target) =>
 *   target === 'node:fs' ? `${from} imports ${target}: only core touches files. Let it be handed what it needs.` : undefined,
 * )
 * ```
 */
export type Rule = (modules: Module[]) => string[]

export function parseModule({ path, text }: Source): Module {
  const imports: Import[] = []
  const jsxTexts: string[] = []
  let anyCount = 0
  const add = (specifier: string, kind: string | undefined): void => {
    const target = resolveTarget(path, specifier)
    imports.push({ target, is_relative: specifier.startsWith('.'), kind: kind === 'type' ? 'type' : 'value' })
  }
  const { program, comments, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.importKind),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind),
    ExportNamedDeclaration: (node) => node.source && add(node.source.value, node.exportKind),
    ImportExpression: ({ source }) => source.type === 'Literal' && add(String(source.value), 'value'),
    TSImportType: (node) => add(node.source.value, 'type'),
    JSXText: ({ value }) => void jsxTexts.push(value),
    JSXAttribute: ({ value }) => value?.type === 'Literal' && void jsxTexts.push(value.value),
    TSAnyKeyword: () => void anyCount++,
  }).visit(program)
  return {
    path,
    text,
    imports,
    anyCount,
    comments: joinLines(text, comments),
    lines: text.trimEnd().split('\n').length,
    jsxTexts,
  }
}

type Comment = ReturnType<typeof parseSync>['comments'][number]

function joinLines(text: string, comments: Comment[]): string[] {
  const joined: string[] = []
  let end = -1
  for (const { type, value, start, ...comment } of comments) {
    const isContinued = type === 'Line' && end >= 0 && /^\n[ \t]*$/.test(text.slice(end, start))
    if (isContinued) joined.push(`${joined.pop()}\n${value}`)
    else joined.push(value)
    end = type === 'Line' ? comment.end : -1
  }
  return joined
}

function resolveTarget(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  const internal = /^#(contract|server|web)\/(.*)$/.exec(specifier)
  if (internal) return `src/${internal[1]}/${internal[2]}`
  if (specifier.startsWith('#test/')) return specifier.slice(1)
  const [scope = '', name] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

/** Features that stand in one room, each in a folder with an entry point of its own. Other rooms are one feature each. */
const FEATURES: Record<string, readonly string[]> = {
  'server/accounts': ['account', 'auth', 'keys', 'organizations', 'users'],
  'server/assistants': ['agents', 'compare', 'general', 'translate'],
  'server/commerce': ['credit', 'statistics'],
  'server/conversations': ['prompts', 'shares', 'voice', 'web-search'],
  'server/documents': ['blocks', 'knowledge'],
  'web/accounts': ['auth', 'keys', 'organizations', 'setting'],
  'web/assistants': ['agents', 'compare', 'translate'],
  'web/commerce': ['credit', 'statistics'],
  'web/conversations': [
    'chat',
    'commands',
    'composer',
    'export',
    'history',
    'model-picker',
    'prompts',
    'recording',
    'session-actions',
    'session-settings',
    'shares',
    'thread',
    'voice',
    'web-search',
  ],
  'web/documents': ['blocks'],
}

/** src/web/accounts/keys/x.tsx → web */
export const getSide = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? ''
/** src/web/accounts/keys/x.tsx → accounts; src/web/main.tsx → main.tsx */
export const getRoom = (path: string): string => path.split('/')[2] ?? ''

/** src/web/accounts/keys/x.tsx → accounts/keys; src/web/ui/x.tsx → ui; src/web/main.tsx → main.tsx */
export function getFeature(path: string): string {
  const [, side, room = '', name = ''] = path.split('/')
  return FEATURES[`${side}/${room}`]?.includes(name) ? `${room}/${name}` : room
}

/** Returns a feature's entry point without its extension: src/web/accounts/keys/keys */
export const getEntryPoint = (path: string): string => {
  const feature = getFeature(path)
  return `src/${getSide(path)}/${feature}/${feature.split('/').at(-1)}`
}

/** Applies a check to every import of every module and returns its messages. */
export function createImportRule(check: (from: string, target: string) => string | undefined): Rule {
  return (modules) =>
    modules.flatMap(({ path, imports }) => imports.flatMap(({ target }) => check(path, target) ?? []))
}
