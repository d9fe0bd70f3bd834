import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StreamPart } from '#server/llm/stream-part.ts'
import { ResponseParser } from '#server/llm/providers/response-parser.ts'
import { getErrorCode } from '../provider-call.ts'
import { PROVIDER_CASES } from '../provider-cases.ts'

const TEXT = '问渠那得清如许？为有源头活水来。😀 `code` and English.'
const CALL = { id: 'call_1', name: 'search', arguments: '{"word":"源头"}' }

const joinText = (parts: StreamPart[], type: 'delta' | 'reasoning'): string =>
  parts.map((part) => (part.type === type ? part.text : '')).join('')

const expectPart = (part: StreamPart): void => expect(part.type).toBeTruthy()

describe.each(Object.entries(PROVIDER_CASES))('%s', (_, { double, createParser, delta, end }) => {
  test('bytes cut anywhere, inside characters too, give the same answer', () => {
    const asked = { model: 'm', question: '?', stream: true }
    const script = { text: TEXT, reasoning: '想一想', chars: 4, tool_calls: [CALL] }
    const stream = Buffer.from([...double.renderFrames(asked, script)].join(''))
    fc.assert(
      fc.property(fc.array(fc.nat({ max: stream.length })), fc.boolean(), (cuts, bom) => {
        const at = cuts.sort((a, b) => a - b)
        const parser = new ResponseParser(createParser())
        const parts: StreamPart[] = []
        const emit = (part: StreamPart): void => void parts.push(part)
        if (bom) for (const byte of [0xef, 0xbb, 0xbf]) parser.parse(Buffer.from([byte]), emit)
        for (const [index, from] of [0, ...at].entries()) {
          parser.parse(stream.subarray(from, at[index] ?? stream.length), emit)
        }
        parser.end(emit)
        expect([joinText(parts, 'reasoning'), joinText(parts, 'delta')]).toEqual(['想一想', TEXT])
        const calls = parts.filter((part) => part.type === 'tool_call')
        expect(calls[0]).toMatchObject({ index: 0, id: 'call_1', name: 'search' })
        expect(calls.map((call) => call.arguments).join('')).toBe(CALL.arguments)
        expect(parser.getFinishPart(false)).toEqual({ type: 'finish', reason: 'tool_calls' })
        expect(parser.getUsageParts().map(({ type }) => type)).toEqual(['usage'])
      }),
    )
  })

  test('whatever bytes come, the parser ends with parts or a named error', () => {
    const words = `${delta('中')}${end}`.match(/\w+|\W/g) ?? []
    const more = [
      'data: ',
      '\n\n',
      '\r',
      'null',
      '0',
      '-1',
      '[',
      ']',
      '{',
      '}',
      '[DONE]',
      'error',
      '\u{FEFF}',
    ]
    const token = fc.constantFrom(...words, ...more)
    const bytes = fc.oneof(
      fc.uint8Array().map((list) => Buffer.from(list)),
      fc.array(token).map((list) => Buffer.from(list.join(''))),
      fc.jsonValue().map((json) => Buffer.from(`data: ${JSON.stringify(json)}\n\n`)),
    )
    fc.assert(
      fc.property(fc.array(bytes), (pieces) => {
        const parser = new ResponseParser(createParser())
        try {
          for (const piece of pieces) parser.parse(piece, expectPart)
          parser.end(expectPart)
          parser.getFinishPart(false)
        } catch (error) {
          expect(getErrorCode(error)).toMatch(/^upstream_/)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('an event of which any member is something else ends with parts or a named error', () => {
    const asked = { model: 'm', question: '?', stream: true }
    const script = { text: TEXT, reasoning: '想', tool_calls: [CALL] }
    const events = parseEvents([...double.renderFrames(asked, script)].join(''))
    fc.assert(
      fc.property(fc.constantFrom(...events), fc.nat(), fc.jsonValue(), (event, nth, other) => {
        const parser = new ResponseParser(createParser())
        const changed = JSON.stringify(replaceMember(event, nth, other))
        try {
          parser.parse(Buffer.from(`data: ${changed}\n\n`), expectPart)
        } catch (error) {
          expect(getErrorCode(error)).toMatch(/^upstream_/)
        }
      }),
      { numRuns: 500 },
    )
  })
})

function parseEvents(stream: string): unknown[] {
  return [...stream.matchAll(/^data: (\{.*\})\r?$/gm)].map(([, json = '']) => JSON.parse(json) as unknown)
}

/** Returns the value with its member number `nth`, counted through all levels and around, replaced. */
function replaceMember(value: unknown, nth: number, other: unknown): unknown {
  let left = nth % JSON.stringify(value).split(/[,[{]/).length
  return JSON.parse(JSON.stringify(value), (_, member: unknown) => (left-- === 0 ? other : member)) as unknown
}
