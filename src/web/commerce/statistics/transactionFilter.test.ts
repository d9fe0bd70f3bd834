import { expect, test } from 'vitest'
import { isFiltered, noFilter, parseFilter, serializeFilter, toQuery } from './transactionFilter.ts'

const KEY = '0199c0de-0000-7000-8000-000000000001'

test.each([
  '',
  'action=charge&channel=api&source=gateway&model=openai%2Fgpt&timeRange=week&page=3',
  `keyId=${KEY}&timeRange=days&from=2026-11-01&to=2026-11-20`,
  'timeRange=days&to=2026-11-20',
])('the address “%s” is kept as it is', (address) => {
  expect(serializeFilter(parseFilter(new URLSearchParams(address))).toString()).toBe(address)
})

test('what an address says that is no condition is left out', () => {
  const address = 'action=steal&channel=&source=none&keyId=1&timeRange=ever&from=0026-11-01&to=soon&page=-1'
  expect(parseFilter(new URLSearchParams(address))).toEqual(noFilter)
  expect(isFiltered(noFilter)).toBe(false)
  expect(isFiltered({ ...noFilter, page: 2 })).toBe(false)
  expect(isFiltered({ ...noFilter, model: 'flat' })).toBe(true)
})

test('own days are asked for from the earlier to the later, open where one is missing or only half typed', () => {
  const toRange = (from: string, to: string) =>
    toQuery({ ...noFilter, timeRange: 'days', from, to }).timeRange
  expect(toRange('2026-11-01', '2026-11-20')).toBe('2026-11-01~2026-11-20')
  expect(toRange('2026-11-20', '2026-11-01')).toBe('2026-11-01~2026-11-20')
  expect(toRange('2026-11-01', '')).toBe('2026-11-01~2999-12-31')
  expect(toRange('0202-11-01', '2026-11-20')).toBe('2000-01-01~2026-11-20')
  expect(toRange('0202-11-01', '')).toBeUndefined()
  expect(toQuery({ ...noFilter, timeRange: 'week', from: '2026-11-01' }).timeRange).toBe('week')
})
