import { expect, test } from 'vitest'
import { findInvalidEmail, parseEmails } from './parseEmails.ts'

test('addresses may stand as people write lists, and count once', () => {
  const text = ' a@x.com，B@x.com\n\nb@x.com; c@x.com、d@x.com,a@x.com '
  expect(parseEmails(text)).toEqual(['a@x.com', 'b@x.com', 'c@x.com', 'd@x.com'])
  expect(parseEmails(' \n')).toEqual([])
})

test('the first that is no address is named', () => {
  expect(findInvalidEmail(['a@x.com', 'b@x', 'c'])).toBe('b@x')
  expect(findInvalidEmail(['a@x.com'])).toBeUndefined()
})
