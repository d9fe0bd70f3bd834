/** A tag or a text of HTML, and where it stands. Comments, declarations and the like are `other`. */
export type HtmlToken = {
  kind: 'text' | 'open' | 'close' | 'other'
  /** Name of a tag in lower case. */
  name: string
  start: number
  end: number
}

/** Elements whose content is no markup. */
const RAW = /^(script|style|textarea|title|xmp|iframe|noembed|noframes)$/

/** Yields the tokens of HTML, or XHTML, as it is written: nothing is added or closed. */
export function* tokenizeHtml(
  source: string,
  { start: from, end: to } = { start: 0, end: source.length },
): Generator<HtmlToken> {
  let at = from
  const text = (end: number): HtmlToken => ({ kind: 'text', name: '', start: at, end })
  while (at < to) {
    const start = Math.min(to, findMarkup(source, at))
    if (start > at) yield text(start)
    at = start
    if (start >= to) break
    const end = Math.min(to, findEnd(source, start))
    const [, slash = '', name = ''] = /^<(\/?)([a-z][^\s/>]*)/i.exec(source.slice(start, start + 100)) ?? []
    const kind = name ? (slash ? 'close' : 'open') : 'other'
    yield { kind, name: name.toLowerCase(), start, end }
    at = end
    if (kind !== 'open' || !RAW.test(name.toLowerCase()) || source[end - 2] === '/') continue
    const close = Math.min(to, findClose(source, name, end))
    if (close > at) yield text(close)
    at = close
  }
}

/** Finds a `<` that begins markup; another one is text. */
function findMarkup(source: string, from: number): number {
  for (let at = source.indexOf('<', from); at >= 0; at = source.indexOf('<', at + 1))
    if (/[a-z/!?]/i.test(source[at + 1] ?? '')) return at
  return source.length
}

function findEnd(source: string, start: number): number {
  const until = (end: string, from: number): number => {
    const index = source.indexOf(end, from)
    return index < 0 ? source.length : index + end.length
  }
  if (source.startsWith('<!--', start)) return until('-->', start + 4)
  if (source.startsWith('<![CDATA[', start)) return until(']]>', start)
  if (/[!?]/.test(source[start + 1] ?? '')) return until('>', start)
  let quote = ''
  for (let at = start + 1; at < source.length; at++) {
    const character = source[at] ?? ''
    if (quote) quote = character === quote ? '' : quote
    // A quote that begins no value, e.g. an apostrophe in a broken tag, quotes nothing.
    else if (/["']/.test(character) && /=\s*$/.test(source.slice(Math.max(start, at - 10), at)))
      quote = character
    else if (character === '>') return at + 1
  }
  return source.length
}

function findClose(source: string, name: string, from: number): number {
  const close = new RegExp(`</${name}[\\s/>]`, 'gi')
  close.lastIndex = from
  return close.exec(source)?.index ?? source.length
}
