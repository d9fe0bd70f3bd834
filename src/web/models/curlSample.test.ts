import { expect, test } from 'vitest'
import { buildCurlSample } from './curlSample.ts'

test('the sample asks this model on this site, and says whether signing in is needed', () => {
  const sample = buildCurlSample({ id: "o'model", guest: false }, 'https://wenqu.example')
  expect(sample).toContain("'https://wenqu.example/api/chat/create'")
  expect(sample).toContain(String.raw`"model":"o'\''model"}'`)
  expect(sample).toContain('需要登录')
  expect(buildCurlSample({ id: 'm', guest: true }, '')).not.toContain('需要登录')
})
