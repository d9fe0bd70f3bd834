import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readDraftCopy, removeDraftCopy, writeDraftCopy } from './draftCopy.ts'
import type { AgentFields } from './formFields.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

const fields = { name: '没有送到' } as AgentFields

test('what a tab left unsaved is gone on with until it is saved, unless the draft was changed elsewhere meanwhile', () => {
  writeDraftCopy('a', { fields, version: 3 })
  const read = (version: number, uuid = 'a') => readDraftCopy({ uuid, version })
  expect(read(2)).toEqual(fields)
  expect(read(3)).toEqual(fields)
  expect(read(4)).toBeNull()
  expect(read(2, 'b')).toBeNull()
  removeDraftCopy('a')
  expect(read(2)).toBeNull()
})
