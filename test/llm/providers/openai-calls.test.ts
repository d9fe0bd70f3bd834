import { describe, expect, test } from 'vitest'
import type { StreamPart } from '#server/llm/stream-part.ts'
import { delta, DONE, finish, useRawAnswers } from '../openai-events.ts'

// Calls of tools in OpenAI's dialect as real servers send them, each in its own way.

const { read } = useRawAnswers()

describe('calls of tools', () => {
  const pieces = (...toolCalls: object[]): string => delta({ tool_calls: toolCalls })
  const piece = (index: number | undefined, id: string | undefined, name: string | undefined, text: string) =>
    pieces({ index, id, function: { name, arguments: text } })

  /** Joins the pieces of calls, which must come one call after the other. */
  function joinCalls(parts: StreamPart[]): [id: string, name: string, text: string][] {
    const calls = new Map<number, [string, string, string]>()
    let last = -1
    for (const part of parts) {
      if (part.type !== 'tool_call') continue
      expect(part.index).toBeGreaterThanOrEqual(last)
      last = part.index
      const known = calls.get(part.index)
      if (known) known[2] += part.arguments
      else calls.set(part.index, [part.id, part.name, part.arguments])
    }
    return [...calls.values()]
  }

  test.each<[string, string[], [string, string, string][]]>([
    [
      'with one index and ids of their own are two',
      [piece(0, 'a', 'f', '{"x":1}'), piece(0, 'b', 'g', '{"x":2}')],
      [
        ['a', 'f', '{"x":1}'],
        ['b', 'g', '{"x":2}'],
      ],
    ],
    [
      'by turns come one after the other',
      [
        piece(0, 'a', 'f', '{"x"'),
        piece(1, 'b', 'g', '{"y"'),
        piece(0, undefined, undefined, ':1}'),
        piece(1, undefined, undefined, ':2}'),
      ],
      [
        ['a', 'f', '{"x":1}'],
        ['b', 'g', '{"y":2}'],
      ],
    ],
    [
      'whose name comes after the id are whole',
      [piece(0, 'a', undefined, ''), piece(0, undefined, 'f', '{"x"'), piece(0, undefined, undefined, ':1}')],
      [['a', 'f', '{"x":1}']],
    ],
    [
      'whose arguments come before the name are whole',
      [piece(0, 'a', undefined, '{"x"'), piece(0, 'a', 'f', ':1}')],
      [['a', 'f', '{"x":1}']],
    ],
    [
      'without arguments have an empty object',
      [piece(0, 'a', 'f', ''), piece(1, 'b', 'g', ' ')],
      [
        ['a', 'f', '{}'],
        ['b', 'g', ' {}'],
      ],
    ],
    [
      'of one id under two indexes are told apart',
      [piece(0, 'a', 'f', '{"x":1}'), piece(1, 'a', 'g', '{"x":2}')],
      [
        ['a', 'f', '{"x":1}'],
        [expect.stringMatching(/^call_/) as string, 'g', '{"x":2}'],
      ],
    ],
    [
      'with words after whole arguments end before them',
      [piece(0, 'a', 'f', '{}'), piece(1, 'b', 'g', '{}'), piece(0, undefined, undefined, '}')],
      [
        ['a', 'f', '{}'],
        ['b', 'g', '{}'],
      ],
    ],
    [
      'with braces in their texts end where they end',
      [piece(0, 'a', 'f', '{"x":"}\\"{'), piece(1, 'b', 'g', '{}'), piece(0, undefined, undefined, '"}')],
      [
        ['a', 'f', '{"x":"}\\"{"}'],
        ['b', 'g', '{}'],
      ],
    ],
  ])('%s', async (_, events, expected) => {
    const { parts, error } = await read(...events, finish('tool_calls'), DONE)
    expect(error).toBeNull()
    expect(joinCalls(parts)).toEqual(expected)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' })
  })

  test('without ids or indexes: a name begins another after whole arguments', async () => {
    const { parts } = await read(
      piece(undefined, undefined, 'f', '{"x":1}'),
      piece(undefined, undefined, 'f', '{"x":2}'),
      DONE,
    )
    expect(joinCalls(parts).map(([, name, text]) => [name, text])).toEqual([
      ['f', '{"x":1}'],
      ['f', '{"x":2}'],
    ])
  })

  test('a text between two pieces of a call comes after it', async () => {
    const { parts, text } = await read(
      piece(0, 'a', 'f', '{"x"'),
      delta({ content: '然后' }),
      piece(0, undefined, undefined, ':1}'),
      delta({ content: '好' }),
      DONE,
    )
    expect(joinCalls(parts)).toEqual([['a', 'f', '{"x":1}']])
    expect(text).toBe('然后好')
    expect(parts.map(({ type }) => type)).toEqual(['tool_call', 'tool_call', 'delta', 'delta', 'finish'])
  })

  test('that are announced and do not come are none', async () => {
    const { parts } = await read(delta({ content: '好' }), finish('tool_calls'), DONE)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })
})
