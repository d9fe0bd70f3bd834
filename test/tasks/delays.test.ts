import { describe, expect, test } from 'vitest'
import { AppError, toAppError } from '#server/core/app-error.ts'
import { createDownload } from '#server/files/download.ts'
import { describeDelay, planDelay } from '#server/tasks/delays.ts'
import type { ErrorCode } from '#contract/errors.ts'

const createSystemError = (code: string): Error => Object.assign(new Error(code), { code })

/** Sums the delays of a task that always fails like this, minutes; 0 where its first failure is final. */
function sumDelays(code: ErrorCode): number {
  let seconds = 0
  for (let delays = 0, next = planDelay(code, 0); next !== null; next = planDelay(code, ++delays))
    seconds += next
  return Math.floor(seconds / 60)
}

test.each([
  ['storage_unavailable', 24 * 60 - 30],
  ['unavailable', 24 * 60 - 30],
  ['document_gone', 15],
  ['document_interrupted', 15],
  ['upstream_failed', 15],
  ['upstream_timeout', 15],
] as const)('after %s a task is tried again for %i minutes at least', (code, minutes) => {
  expect(sumDelays(code)).toBeGreaterThanOrEqual(minutes)
})

test.each([
  'document_encrypted',
  'document_bomb',
  'document_empty',
  'document_damaged',
  'document_unsupported',
  'document_too_large',
  'document_memory',
  'insufficient_balance',
  'upstream_malformed',
  'internal',
] as const)('%s is final', (code) => {
  expect(sumDelays(code)).toBe(0)
  expect(describeDelay({ state: 'waiting', code })).toBeNull()
})

test('only a task that waits after a failure has words for it', () => {
  const code = 'storage_unavailable'
  expect(describeDelay({ state: 'waiting', code })).toBe('存储暂时不可用，稍后自动重试')
  expect(describeDelay({ state: 'failed', code })).toBeNull()
  expect(describeDelay({ state: 'waiting', code: null })).toBeNull()
})

test.each(['EIO', 'ENOSPC', 'EMFILE', 'ESTALE'])('%s of a disk is no verdict', (code) => {
  const cause = createSystemError(code)
  expect(toAppError(new Error('wrapped', { cause })).code).toBe('storage_unavailable')
})

describe('a file that cannot be given a path', () => {
  const file = { key: 's/x', size: 3, md5: undefined }
  const download = (
    openVerified: Parameters<typeof createDownload>[0]['openVerified'],
    signal?: AbortSignal,
  ) =>
    createDownload({ objects: { getPath: () => null }, openVerified, copies: '/nowhere' })(
      file,
      signal ?? new AbortController().signal,
    )

  test.each([
    ['its disk is full', createSystemError('ENOSPC'), 'storage_unavailable'],
    ['its store hangs up', new Error('terminated'), 'storage_unavailable'],
    ['it is not there', new AppError('not_found'), 'document_gone'],
  ])('because %s', async (_, cause, code) => {
    await expect(download(() => Promise.reject(cause))).rejects.toMatchObject({ code })
  })

  test('since nobody wants it any more gives their reason', async () => {
    const reason = new Error('stopped')
    await expect(download(() => Promise.reject(new Error('cut')), AbortSignal.abort(reason))).rejects.toBe(
      reason,
    )
  })
})
