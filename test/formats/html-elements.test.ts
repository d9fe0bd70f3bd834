import { expect, test } from 'vitest'
import { read, textOf } from './read.ts'

/** Elements of HTML that may hold text (https://html.spec.whatwg.org/multipage/indices.html, and obsolete ones of 16.2). */
const ELEMENTS =
  'a abbr acronym address article aside b bdi bdo big blink blockquote body button caption center cite code data datalist dd del details dfn dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup html i iframe ins kbd label legend li listing main map mark marquee menu meter multicol nav nobr noembed noframes noscript object ol optgroup option output p plaintext pre progress q rb rp rt rtc ruby s samp search section select slot small spacer span strike strong sub summary sup table tbody td template textarea tfoot th thead time tr tt u ul var video audio canvas xmp'.split(
    ' ',
  )

/** Elements whose text a page does not show. */
const UNSHOWN: Record<string, string> = {
  iframe: 'another page',
  noembed: 'for browsers without plugins',
  noframes: 'for browsers without frames',
  template: 'a pattern that scripts fill in',
  video: 'for browsers without videos',
  audio: 'for browsers without sound',
  canvas: 'for browsers without scripts that draw',
  object: 'for browsers that cannot show the object',
  datalist: 'proposals for a field',
  noscript: 'for browsers without scripts',
  rp: 'for browsers without phonetic guides',
  select: 'has options as its content',
  optgroup: 'has options as its content',
}

/** Elements that a parser takes within others only. */
const PARENTS: Record<string, string> = {
  caption: 'table',
  tbody: 'table',
  thead: 'table',
  tfoot: 'table',
  tr: 'table',
  td: 'table',
  th: 'table',
  option: 'select',
  optgroup: 'select',
  legend: 'fieldset',
  summary: 'details',
  rt: 'ruby',
  rb: 'ruby',
  rp: 'ruby',
  rtc: 'ruby',
}

test('an element that no standard knows is its words, whatever its name', async () => {
  const html = '<p>甲<constructor>乙</constructor><x-1>丙</x-1></p>'
  expect(textOf(await read(html, 'a.html'))).toBe('甲乙丙')
})

test.each(ELEMENTS.map((name) => [name, UNSHOWN[name] ? 'not read' : 'read'] as const))(
  'the text of <%s> is %s',
  async (name) => {
    const [open, close] = PARENTS[name] ? [`<${PARENTS[name]}>`, `</${PARENTS[name]}>`] : ['', '']
    const html = `<!DOCTYPE html><p>一</p>${open}<${name}>字在这里</${name}>${close}<p>二</p>`
    const text = textOf(await read(html, 'a.html'))
    expect(text.includes('字在这里')).toBe(UNSHOWN[name] === undefined)
    expect(text.indexOf('一')).toBeLessThan(text.indexOf('二'))
  },
)
