import { expect, test } from 'vitest'
import {
  formatDiscount,
  formatFineAmount,
  formatPercent,
  formatFineSeconds,
  formatSeconds,
  formatCount,
  formatThroughput,
  formatTokenWindow,
} from './numberFormat.ts'

test('a discount reads as the trade writes it', () => {
  expect([0, 1, 0.85, 0.07, 0.5, 0.8888, 0.29].map(formatDiscount)).toEqual([
    '免费',
    '原价',
    '8.5折',
    '0.7折',
    '5折',
    '8.888折',
    '2.9折',
  ])
})

test('counts are shortened from 1000 on', () => {
  expect([0, 999, 1000, 1500, 12_345, 999_949, 999_950, 2_000_000, 1_500_000_000].map(formatCount)).toEqual([
    '0',
    '999',
    '1k',
    '1.5k',
    '12.3k',
    '999.9k',
    '1M',
    '2M',
    '1500M',
  ])
})

test('windows of tokens are called what their makers call them', () => {
  const sizes = [512, 8192, 12_000, 65_536, 128_000, 131_072, 200_000, 204_800, 1_000_000, 1_048_576]
  expect(sizes.map(formatTokenWindow)).toEqual([
    '512',
    '8K',
    '12K',
    '64K',
    '128K',
    '128K',
    '200K',
    '200K',
    '1M',
    '1M',
  ])
  expect(formatTokenWindow(10_000_000)).toBe('10M')
})

test('small costs keep the digits that tell them apart', () => {
  expect([0, 1128.5, 1, 0.5, 0.318, 0.00318, 0.0000318, 0.000001].map(formatFineAmount)).toEqual([
    '0.00',
    '1,128.50',
    '1.00',
    '0.50',
    '0.318',
    '0.0032',
    '0.000032',
    '0.000001',
  ])
})

test('what was never measured is a dash', () => {
  expect([formatSeconds(null), formatThroughput(null), formatPercent(null)]).toEqual(['—', '—', '—'])
  expect([formatThroughput(45.21), formatThroughput(150.4)]).toEqual(['45.2 Token/秒', '150 Token/秒'])
  expect([formatPercent(0.9996), formatPercent(1)]).toEqual(['99.9%', '100%'])
})

test('a time is said in seconds', () => {
  expect([0, 40, 820, 1000, 12_345, 59_949, 59_951, 65_400].map(formatSeconds)).toEqual([
    '0.1 秒',
    '0.1 秒',
    '0.8 秒',
    '1 秒',
    '12.3 秒',
    '59.9 秒',
    '1 分 0 秒',
    '1 分 5 秒',
  ])
})

test('a time that is compared is said in hundredths of a second below ten', () => {
  expect([0, 324, 1000, 9994, 9995, 12_345].map(formatFineSeconds)).toEqual([
    '0.01 秒',
    '0.32 秒',
    '1.00 秒',
    '9.99 秒',
    '10 秒',
    '12.3 秒',
  ])
})
