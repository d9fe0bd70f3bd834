import { expect, test } from 'vitest'
import { translateMessages } from '#contract/translate/messages.ts'
import { ApiError } from '#web/core/api.ts'
import { describeFailure } from './translateText.ts'

test.each([
  [401, translateMessages.signed_out],
  [429, translateMessages.too_many],
  [500, translateMessages.server_error],
  [503, translateMessages.server_error],
  [422, '请求参数错误'],
])('a call that fails with %i is told in the words of the specification', (status, message) => {
  expect(describeFailure(new ApiError(status, { message: '请求参数错误' }))).toBe(message)
})

test('a fault of the page itself is not told as one of a call', () => {
  expect(() => describeFailure(new TypeError('broken'))).toThrow('broken')
})
