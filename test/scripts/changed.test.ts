import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findTestsOf, readModules } from '../../scripts/changed.ts'
import { FAULTS_OF_ROOMS } from '../faults/rooms.ts'
import { JOURNEYS_OF_ALL_PAGES, JOURNEYS_OF_PAGES } from '../journeys/pages.ts'

const modules = readModules()

const reached = (...changed: string[]): string[] => {
  const tests = findTestsOf(changed, modules)
  return tests === 'all' ? ['all'] : [...new Set(tests.map((path) => path.split('/').slice(0, 3).join('/')))]
}

test('what all of the server stands on reaches every test', () => {
  expect(reached('src/server/core/database/database.ts')).toEqual(['all'])
  expect(reached('package-lock.json')).toEqual(['all'])
})

test('a change in a room of the server reaches its tests, and the journeys and faults of what it does', () => {
  const tests = reached('src/server/assistants/translate/store.ts')
  expect(tests).toEqual(expect.arrayContaining(['test/journeys/translate', 'test/faults/killed.test.ts']))
  expect(tests.some((path) => path.startsWith('test/translate/'))).toBe(true)
  expect(tests.some((path) => path.startsWith('test/keys/'))).toBe(false)
  expect(tests).not.toContain('test/journeys/keys')
})

test('a change of one page reaches its journeys, a control of all pages those of all', () => {
  expect(reached('src/web/pages/Compare.tsx')).toContain('test/journeys/compare')
  expect(reached('src/web/pages/Compare.tsx')).not.toContain('test/journeys/keys')
  expect(reached('src/web/ui/Dialog.tsx')).toEqual(
    expect.arrayContaining(['test/journeys/compare', 'test/journeys/keys', 'src/web/ui']),
  )
})

test('a pure function reaches the tests that import it', () => {
  expect(findTestsOf(['src/web/conversations/composer/draftText.ts'], modules)).toContain(
    'src/web/conversations/composer/draftText.test.ts',
  )
})

test('every journey is walked for some page, and every fault of the product for some room', () => {
  const folders = [...JOURNEYS_OF_ALL_PAGES, ...Object.values(JOURNEYS_OF_PAGES).flat()]
  const journeys = globSync('test/journeys/**/*.journey.ts')
  expect(
    journeys.filter((path) => !folders.some((name) => path.startsWith(`test/journeys/${name}`))),
  ).toEqual([])
  expect(
    folders.filter((name) => !journeys.some((path) => path.startsWith(`test/journeys/${name}`))),
  ).toEqual([])
  // Every file of `core` leads to the faults of the database itself.
  const faults = globSync('test/faults/*.test.ts').filter((path) => !path.includes('/database'))
  const named = Object.values(FAULTS_OF_ROOMS).flat()
  expect(
    faults.filter((path) => !named.includes(path.slice('test/faults/'.length, -'.test.ts'.length))),
  ).toEqual([])
})
