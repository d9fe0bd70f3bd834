import type { Tokens } from 'marked'
import { blankOpaqueSpans } from './opaqueSpans.ts'

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const emptyTags = names('br hr wbr')
/** Tags that may stand inline. The sanitiser drops some of them and keeps their text. */
const inlineTags = names(
  'a abbr b big center cite code del em font i ins kbd mark q s samp small span strike strong sub sup tt u var',
)
const blockTags = names(
  'address blockquote caption center col colgroup dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre ' +
    'table tbody td tfoot th thead tr ul',
)

const tag = /<(\/?)([a-zA-Z][\w-]*)(?:\s[^<>]*)?>/g

type Tag = { name: string; isClosing: boolean; raw: string; index: number }

const findTags = (text: string): Tag[] =>
  [...text.matchAll(tag)].map(({ 0: raw, 1: slash, 2: name = '', index }) => ({
    name: name.toLowerCase(),
    isClosing: slash === '/',
    raw,
    index,
  }))

function findUnpaired(tags: readonly Tag[]): Tag[] {
  const open = new Map<string, Tag[]>()
  const unpaired = new Set(tags.filter(({ name }) => !emptyTags.has(name)))
  for (const one of unpaired) {
    const before = open.get(one.name) ?? []
    open.set(one.name, before)
    if (!one.isClosing) before.push(one)
    else {
      const partner = before.pop()
      if (!partner) continue
      unpaired.delete(partner)
      unpaired.delete(one)
    }
  }
  return [...unpaired]
}

const isInline = ({ name, isClosing }: Tag): boolean =>
  inlineTags.has(name) || (emptyTags.has(name) && !isClosing)
const isBlock = (one: Tag): boolean => blockTags.has(one.name) || isInline(one)

/**
 * Returns the positions of the tags in an inline text that count as tags: allowed ones that have their partner. `List<S>` and 「用
 * <b> 标签」 are words.
 */
export function findInlineTags(text: string): ReadonlySet<number> {
  const tags = findTags(blankOpaqueSpans(text)).filter(isInline)
  const unpaired = new Set(findUnpaired(tags))
  return new Set(tags.filter((one) => !unpaired.has(one)).map(({ index }) => index))
}

/** Tells whether a block that begins with a tag is HTML: all of its tags have partners, or it contains nothing else. */
export function isBlockHtml(raw: string): boolean {
  const tags = findTags(raw)
  const [first] = tags
  if (!first || !isBlock(first) || !raw.trimStart().startsWith(first.raw)) return false
  return !findUnpaired(tags.filter(isBlock)).length || (tags.every(isBlock) && !raw.replace(tag, '').trim())
}

/** Escapes everything that looks like a tag but is not an allowed one. */
export const escapeOtherTags = (html: string): string =>
  html.replace(/<(?=[a-zA-Z/!?])(?:\/?([a-zA-Z][\w-]*)[^<>]*>)?/g, (raw, name: string | undefined) =>
    name &&
    (blockTags.has(name.toLowerCase()) ||
      inlineTags.has(name.toLowerCase()) ||
      emptyTags.has(name.toLowerCase()))
      ? raw
      : raw.replace('<', '&lt;'),
  )

/** An inline tag left open for more characters than this is probably a word. */
const MAX_OPEN_CHARS = 60

/** Returns the closing tags that a growing text still lacks. */
export const closeTags = (text: string): string =>
  findUnpaired(findTags(blankOpaqueSpans(text)).filter(isBlock))
    .filter(
      ({ isClosing, name, index }) =>
        !isClosing && (!inlineTags.has(name) || text.length - index < MAX_OPEN_CHARS),
    )
    .map(({ name }) => `</${name}>`)
    .reverse()
    .join('')

const imageTag = /^<img\s[^<>]*>/i
const readAttribute = (raw: string, name: string): string =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
    .exec(raw)
    ?.slice(1)
    .find(Boolean) ?? ''

/** Reads an `<img>` tag as the image that `![…](…)` would be. */
export function readImageTag(src: string): Tokens.Image | undefined {
  const raw = imageTag.exec(src)?.[0]
  const href = raw && readAttribute(raw, 'src')
  if (!href || !/^(?:https?:|data:image\/)/i.test(href)) return undefined
  return { type: 'image', raw, href, title: null, text: readAttribute(raw, 'alt'), tokens: [] }
}
