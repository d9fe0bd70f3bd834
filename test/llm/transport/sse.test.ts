import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_EVENT, SseParser } from '#server/llm/transport/sse-parser.ts'

function parse(pieces: string[]): string[] {
  const parser = new SseParser()
  return [...pieces.flatMap((piece) => parser.feed(piece)), ...parser.flush()]
}

describe('server-sent events', () => {
  test.each([
    ['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['comments and other fields', ': ping\n\nevent: x\nid: 1\ndata: a\n\n: ping\n\n', ['a']],
    ['data of several lines', 'data: a\ndata: b\n\n', ['a\nb']],
    ['no space after the colon', 'data:a\n\n', ['a']],
    ['only the first space is taken away', 'data:  a\n\n', [' a']],
    ['no blank line at the end', 'data: a\n\ndata: [DONE]', ['a', '[DONE]']],
    ['words that only begin like data', 'database: a\n\n', []],
  ])('%s', (_, text, events) => {
    expect(parse([text])).toEqual(events)
  })

  test('any cut of any stream gives the same events', () => {
    const event = fc.record({
      data: fc.array(fc.string({ unit: fc.constantFrom('a', '中', '😀', ' ', ':', '"') }), { minLength: 1 }),
      before: fc.constantFrom('', ': ping', 'event: message', 'id: 7'),
    })
    fc.assert(
      fc.property(
        fc.array(event),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat()),
        (events, newline, cuts) => {
          const text = events
            .flatMap(({ data, before }) => [
              before && `${before}${newline}`,
              ...data.map((line) => `data: ${line}${newline}`),
              newline,
            ])
            .join('')
          const at = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b)
          const pieces = [0, ...at].map((from, nth) => text.slice(from, at[nth] ?? text.length))
          expect(parse(pieces)).toEqual(events.map(({ data }) => data.join('\n')))
        },
      ),
    )
  })

  test('events that come one at a time, and after pieces of one, are the same', () => {
    const event = fc.constantFrom(
      'data: a\n\n',
      'data: b\r\n\r\n',
      'data: c\rdata: d\n\n',
      'data: g\ndata: h\n\n',
      ': e\n\n',
      'data:f\n\n',
      'data: \n\n',
    )
    const piece = fc.tuple(event, fc.nat({ max: 12 }), fc.boolean())
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const sent = pieces.flatMap(([text, cut, isCut]) =>
          isCut ? [text.slice(0, cut), text.slice(cut)] : [text],
        )
        expect(parse(sent)).toEqual(parse([pieces.map(([text]) => text).join('')]))
      }),
    )
  })

  test('an event cut after the first letter of its second line is whole', () => {
    expect(parse(['data: a\n\n', 'data: b\nd', 'ata: c\n\n'])).toEqual(['a', 'b\nc'])
  })

  test('a line beyond the limit is noticed, in one piece or in many', () => {
    for (const size of [1_000, MAX_EVENT + 10]) {
      const parser = new SseParser()
      parser.feed('data: ')
      for (let sent = 0; sent <= MAX_EVENT; sent += size) parser.feed('x'.repeat(size))
      expect(parser.tooLong).toBe(true)
      expect([...parser.feed('\n\n'), ...parser.feed('data: a\n\n')]).toEqual([])
    }
  })

  test('an event of many lines beyond the limit is noticed', () => {
    const parser = new SseParser()
    const line = `data: ${'x'.repeat(1_000_000)}\n`
    for (let sent = 0; sent <= MAX_EVENT; sent += line.length) parser.feed(line)
    expect(parser.tooLong).toBe(true)
  })

  test('a long line that arrives character by character is joined once', () => {
    const parser = new SseParser()
    for (const char of `data: ${'中'.repeat(300_000)}`) parser.feed(char)
    expect(parser.feed('\n\n')).toEqual(['中'.repeat(300_000)])
  })
})
