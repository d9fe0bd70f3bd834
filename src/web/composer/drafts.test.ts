import { beforeEach, expect, test } from 'vitest'
import { NEW_CHAT, createDrafts } from './drafts.ts'

class Shelf {
  readonly kept = new Map<string, string>()
  get length() {
    return this.kept.size
  }
  key = (n: number) => [...this.kept.keys()][n] ?? null
  getItem = (key: string) => this.kept.get(key) ?? null
  setItem(key: string, value: string) {
    this.kept.set(key, value)
  }
  removeItem(key: string) {
    this.kept.delete(key)
  }
}

let sharedStorage: Shelf
let time = 0
let tabs = 0
beforeEach(() => {
  sharedStorage = new Shelf()
})
const open = (tabStorage = new Shelf()) =>
  createDrafts({
    tabStorage,
    sharedStorage,
    now: () => ++time,
    createTabId: () => `tab-${++tabs}`,
  })

test('each conversation keeps its own draft', () => {
  const drafts = open()
  drafts.write(NEW_CHAT, '新的')
  drafts.write('a', '甲')
  expect([drafts.read(NEW_CHAT), drafts.read('a'), drafts.read('b')]).toEqual(['新的', '甲', ''])
})

test('a draft outlives a reload and the tab', () => {
  const own = new Shelf()
  open(own).write('a', '写到一半')
  expect(open(own).read('a')).toBe('写到一半')
  expect(open().read('a')).toBe('写到一半')
})

test('two tabs do not overwrite each other', () => {
  const [first, second] = [new Shelf(), new Shelf()]
  open(first).write('a', '一')
  open(second).write('a', '二')
  expect(open(first).read('a')).toBe('一')
  expect(open(second).read('a')).toBe('二')
  open(second).markSent('a', '二')
  expect(open(first).read('a')).toBe('一')
  expect(open(second).read('a')).toBe('')
  // What the first tab wrote is still there for the next one.
  expect(open().read('a')).toBe('一')
})

test('what was sent is gone, also where it came from', () => {
  open().write('a', '问一句')
  const drafts = open()
  drafts.markSent('a', drafts.read('a'))
  expect(drafts.read('a')).toBe('')
  expect(open().read('a')).toBe('')
})

test('the oldest give way to new ones', () => {
  for (let nth = 0; nth < 60; nth += 1) open().write(`s${nth}`, '字')
  expect(sharedStorage.length).toBe(40)
  expect(open().read('s0')).toBe('')
  expect(open().read('s59')).toBe('字')
})

test('nothing is left after forgetting', () => {
  const drafts = open()
  drafts.write('a', '秘密')
  drafts.clear()
  expect(drafts.read('a')).toBe('')
  expect(sharedStorage.length).toBe(0)
})

test('what cannot be read or written is passed over', () => {
  sharedStorage.setItem('wenqu.draft.a.x', 'not JSON')
  expect(open().read('a')).toBe('')
  sharedStorage.setItem = () => {
    throw new Error('full')
  }
  const drafts = open()
  expect(() => drafts.write('a', '字')).not.toThrow()
  expect(drafts.read('a')).toBe('字')
})
