import { expect, test } from 'vitest'
import { toReadable } from './readableText.ts'

test('a text is read without its tags', () => {
  expect(toReadable('<1>渠</1>水<2/>清 &lt;3> &amp;amp;')).toBe('渠水 清 <3> &amp;')
})
