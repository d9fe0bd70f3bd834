import { afterEach, expect, test } from 'vitest'
import { createQueryObserver, queryClient } from './queryClient.ts'

afterEach(() => queryClient.clear())

/** A query that is looked at, and what it asks for, answered by the test. */
function observe(queryKey: string[]) {
  const asked: ((answer: string) => void)[] = []
  const observer = createQueryObserver<string>({
    queryKey,
    queryFn: () => {
      const { promise, resolve } = Promise.withResolvers<string>()
      asked.push(resolve)
      return promise
    },
  })
  observer.subscribe(() => {})
  return { asked, getData: () => observer.getCurrentResult().data }
}

test('what changes while a list is read for the first time is read, though the first answer comes later', async () => {
  const { asked, getData } = observe(['folder'])
  expect(asked).toHaveLength(1)
  void queryClient.invalidateQueries({ queryKey: ['folder'] })
  expect(asked).toHaveLength(2)
  asked[1]!('after the change')
  await expect.poll(getData).toBe('after the change')
  asked[0]!('before the change')
  await new Promise(setImmediate)
  expect(getData()).toBe('after the change')
})

test('a first reading goes on where nothing is to be read again', async () => {
  const { asked, getData } = observe(['other'])
  void queryClient.invalidateQueries({ queryKey: ['folder'] })
  void queryClient.invalidateQueries({ queryKey: ['other'], refetchType: 'none' })
  expect(asked).toHaveLength(1)
  asked[0]!('read')
  await expect.poll(getData).toBe('read')
})
