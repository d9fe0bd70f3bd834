import { InfiniteQueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { createQueryObserver, loadNextPage, queryClient } from './queryClient.ts'

afterEach(() => queryClient.clear())

/** An observed query, and its requests, which the test answers. */
function observe(queryKey: string[]) {
  const requests: ((answer: string) => void)[] = []
  const observer = createQueryObserver<string>({
    queryKey,
    queryFn: () => {
      const { promise, resolve } = Promise.withResolvers<string>()
      requests.push(resolve)
      return promise
    },
  })
  observer.subscribe(() => {})
  return { requests, getData: () => observer.getCurrentResult().data }
}

test('what changes while a list is read for the first time is read, though the first answer comes later', async () => {
  const { requests, getData } = observe(['folder'])
  expect(requests).toHaveLength(1)
  void queryClient.invalidateQueries({ queryKey: ['folder'] })
  expect(requests).toHaveLength(2)
  requests[1]!('after the change')
  await expect.poll(getData).toBe('after the change')
  requests[0]!('before the change')
  await new Promise(setImmediate)
  expect(getData()).toBe('after the change')
})

test('a first reading goes on where nothing is to be read again', async () => {
  const { requests, getData } = observe(['other'])
  void queryClient.invalidateQueries({ queryKey: ['folder'] })
  void queryClient.invalidateQueries({ queryKey: ['other'], refetchType: 'none' })
  expect(requests).toHaveLength(1)
  requests[0]!('read')
  await expect.poll(getData).toBe('read')
})

test('the next page does not take the place of a reload that is under way', async () => {
  let version = 'before'
  const answers: (() => void)[] = []
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: ['list'],
    initialPageParam: 1,
    getNextPageParam: (_, pages) => pages.length + 1,
    queryFn: async ({ pageParam }) => {
      await new Promise<void>((resolve) => answers.push(resolve))
      return `${pageParam} ${version}`
    },
  })
  observer.subscribe(() => {})
  const getPages = () => observer.getCurrentResult().data?.pages
  answers.shift()!()
  await expect.poll(getPages).toEqual(['1 before'])

  version = 'after'
  void queryClient.invalidateQueries({ queryKey: ['list'] })
  const loading = [loadNextPage(observer.getCurrentResult()), loadNextPage(observer.getCurrentResult())]
  for (let page = 1; page <= 2; page++) {
    await expect.poll(() => answers.length).toBe(1)
    answers.shift()!()
  }
  await Promise.all(loading)
  expect([getPages(), answers]).toEqual([['1 after', '2 after'], []])
})
