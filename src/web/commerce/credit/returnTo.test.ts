import { expect, test } from 'vitest'
import { parseNeeded, parseReturnPath } from './returnTo.ts'

const parse = (query: string) => parseReturnPath(new URLSearchParams(query))

test('leads back within this site only', () => {
  expect(parse('back=%2Fchat%3Fsess_id%3D1')).toBe('/chat?sess_id=1')
  for (const evil of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/a b',
    'javascript:x',
    '',
  ])
    expect(parse(new URLSearchParams({ back: evil }).toString())).toBe(null)
})

test('coins that are needed are a number above zero', () => {
  expect(parseNeeded(new URLSearchParams('need=1.5'))).toBe(1.5)
  for (const text of ['need=0', 'need=-1', 'need=x', 'need=Infinity', ''])
    expect(parseNeeded(new URLSearchParams(text))).toBe(null)
})
