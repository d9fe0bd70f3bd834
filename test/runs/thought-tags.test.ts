import { describe, expect, test } from 'vitest'
import type { StreamPart } from '#server/llm/llm.ts'
import { createThoughtFilter } from '#server/runs/thought-tags.ts'

/** Returns the thoughts and the answer of a text that comes in pieces of this many characters. */
function read(text: string, chars: number, canReplace = true) {
  const filter = createThoughtFilter(canReplace)
  const pieces = text.match(new RegExp(`[^]{1,${chars}}`, 'g')) ?? []
  const parts = [
    ...pieces.flatMap((piece) => filter.filter({ type: 'delta', text: piece })),
    ...filter.filter({ type: 'finish', reason: 'stop' }),
  ]
  let [reasoning, answer] = ['', '']
  for (const part of parts) {
    if (part.type === 'reasoning') reasoning += part.text
    else if (part.type === 'delta') answer += part.text
    else if (part.type === 'replace') answer = part.text
  }
  return [reasoning.trim(), answer]
}

describe.each([1, 7, 80, 10_000])('in pieces of %d characters', (chars) => {
  test.each([
    ['<think>\n先想一想。\n</think>\n\n答案是 42。', '先想一想。', '答案是 42。'],
    ['\n<think>想</think>答 <think> 标签', '想', '答 <think> 标签'],
    ['<thinking>想</thinking>\n答', '想', '答'],
    ['◁think▷想◁/think▷答', '想', '答'],
    ['<think></think>\n\n答', '', '答'],
    ['<think>没有想完', '没有想完', ''],
    ['先想一想，没有开头标签。\n</think>\n\n答案是 43。', '先想一想，没有开头标签。', '答案是 43。'],
    ['想到最后。</think>\n\n答案', '想到最后。', '答案'],
  ])('what was thought is told from the answer: %j', (text, reasoning, answer) => {
    expect(read(text, chars)).toEqual([reasoning, answer])
  })

  test.each([
    '模型会写 <think> 与 </think>，然后回答。\n\n之后',
    '结束标签是 `</think>`\n\n之后',
    '```xml\n<a>\n</think>\n\n</a>\n```\n',
    '<thin 不是标签',
    '<',
    '先写 <think>\n再写\n</think>\n\n之后',
  ])('an answer that speaks of tags stays as it is: %j', (text) => {
    expect(read(text, chars)).toEqual(['', text])
  })

  test('a text that cannot be taken back keeps what was sent of it', () => {
    expect(read('<think>想</think>答', chars, false)).toEqual(['想', '答'])
    expect(read('想\n</think>\n\n答', chars, false)).toEqual(['', '想\n</think>\n\n答'])
  })
})

test('a part without tags passes as it came, and a call does not wait for a text', () => {
  const delta: StreamPart = { type: 'delta', text: '答', raw: '{}' }
  expect(createThoughtFilter(false).filter(delta)[0]).toBe(delta)
  const other = createThoughtFilter(false)
  const call: StreamPart = { type: 'tool_call', index: 0, id: 'c', name: 'f', arguments: '' }
  expect([other.filter({ type: 'delta', text: '<' }), other.filter(call)]).toEqual([
    [],
    [{ type: 'delta', text: '<' }, call],
  ])
})
