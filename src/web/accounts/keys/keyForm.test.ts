import { expect, test } from 'vitest'
import { keysText } from '#web/text/keys.ts'
import { emptyApiKeyFields, toApiKeyBody } from './ApiKeyForm.tsx'
import { findInvalidNumbers, getLastDay, pickChanges } from './KeyForm.tsx'

test('a form left as it is asks for a key without limits', () => {
  expect(toApiKeyBody({ ...emptyApiKeyFields, name: 'a' })).toEqual({
    name: 'a',
    group: 'balance',
    provider_sort: 'default',
    auto_switch: true,
    credit_limit: 0,
    expired_at: '',
    allowed_models: null,
    allowed_addresses: null,
    requests_per_minute: null,
    tokens_per_minute: null,
  })
})

test('lists are read by line or comma, without empty entries', () => {
  const { allowed_models } = toApiKeyBody({ ...emptyApiKeyFields, allowed_models: ' a\n\nb，c, ' })
  expect(allowed_models).toEqual(['a', 'b', 'c'])
})

test('only what differs is sent', () => {
  expect(pickChanges({ a: 1, b: ['x'], c: null }, { a: 2, b: ['x'], c: null })).toEqual({ a: 2 })
})

test('what is no number is found, also where empty means no limit', () => {
  const fields = {
    ...emptyApiKeyFields,
    credit_limit: '1e',
    requests_per_minute: '',
    tokens_per_minute: '10',
  }
  expect(findInvalidNumbers(fields, ['credit_limit', 'requests_per_minute', 'tokens_per_minute'])).toEqual({
    credit_limit: keysText.notNumber,
  })
})

test.each([
  ['2099-01-31T16:00:00.000Z', '2099-01-31'],
  ['2099-01-31T16:00:00.001Z', '2099-02-01'],
  [null, ''],
])('%s ends on %s', (expiredAt, day) => expect(getLastDay(expiredAt)).toBe(day))
