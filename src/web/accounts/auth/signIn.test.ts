import { expect, test } from 'vitest'
import { extractCodeDigits } from './signIn.ts'

test.each([
  ['123456', '123456'],
  ['１２３４５６', '123456'],
  ['您的验证码是 123 456，10 分钟内有效', '123456'],
  ['没有数字', ''],
])('the code of “%s” is “%s”', (text, code) => {
  expect(extractCodeDigits(text)).toBe(code)
})
