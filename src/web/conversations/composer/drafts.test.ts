import { beforeEach, expect, test } from 'vitest'
import { SHOWN_USER_HEADER } from '#contract/auth/shown-user.ts'
import { identity } from '#web/core/api.ts'
import type { Draft } from '#web/core/draftStorage.ts'
import { createDrafts } from './drafts.ts'

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
  delete identity.headers[SHOWN_USER_HEADER]
  sharedStorage = new Shelf()
})
const draft = (text: string, ...blocks: string[]): Draft => ({ text, blocks })
const open = (tabStorage = new Shelf()) =>
  createDrafts({
    tabStorage,
    sharedStorage,
    now: () => ++time,
    createTabId: () => `tab-${++tabs}`,
  })

test('each conversation keeps its own draft', () => {
  const drafts = open()
  drafts.write('new', draft('新的'))
  drafts.write('a', draft('甲'))
  expect([drafts.read('new').text, drafts.read('a').text, drafts.read('b').text]).toEqual(['新的', '甲', ''])
})

test('a draft outlives a reload and the tab', () => {
  const ownShelf = new Shelf()
  open(ownShelf).write('a', draft('写到一半'))
  expect(open(ownShelf).read('a').text).toBe('写到一半')
  expect(open().read('a').text).toBe('写到一半')
})

test('files without a word beside them are a draft too', () => {
  const ownShelf = new Shelf()
  open(ownShelf).write('a', draft('', 'block-1', 'block-2'))
  expect(open(ownShelf).read('a')).toMatchObject(draft('', 'block-1', 'block-2'))
  expect(open().read('a')).toMatchObject(draft('', 'block-1', 'block-2'))
})

test('a user finds no draft of another one, and a guest none of a user', () => {
  const ownShelf = new Shelf()
  const texts = ['one', 'two', ''].map((uuid) => {
    identity.headers[SHOWN_USER_HEADER] = uuid
    const before = open(ownShelf).read('a').text
    open(ownShelf).write('a', draft(`of ${uuid}`))
    return before
  })
  expect(texts).toEqual(['', '', ''])
  identity.headers[SHOWN_USER_HEADER] = 'one'
  expect(open(ownShelf).read('a').text).toBe('of one')
})

test('two tabs do not overwrite each other', () => {
  const [first, second] = [new Shelf(), new Shelf()]
  open(first).write('a', draft('一'))
  open(second).write('a', draft('二'))
  expect(open(first).read('a').text).toBe('一')
  expect(open(second).read('a').text).toBe('二')
  open(second).markSent('a', '二')
  expect(open(first).read('a').text).toBe('一')
  expect(open(second).read('a').text).toBe('')
  // The first tab's text is still there for the next one.
  expect(open().read('a').text).toBe('一')
})

test('what was sent is gone, also where it came from', () => {
  open().write('a', draft('问一句'))
  const drafts = open()
  drafts.markSent('a', drafts.read('a').text)
  expect(drafts.read('a').text).toBe('')
  expect(open().read('a').text).toBe('')
})

test('the oldest give way to new ones', () => {
  for (let nth = 0; nth < 60; nth += 1) open().write(`s${nth}`, draft('字'))
  expect(sharedStorage.length).toBe(40)
  expect(open().read('s0').text).toBe('')
  expect(open().read('s59').text).toBe('字')
})

test('nothing is left after forgetting', () => {
  const drafts = open()
  drafts.write('a', draft('秘密'))
  drafts.clear()
  expect(drafts.read('a').text).toBe('')
  expect(sharedStorage.length).toBe(0)
})

test('what cannot be read or written is passed over', () => {
  sharedStorage.setItem('wenqu.draft.a.x', 'not JSON')
  expect(open().read('a').text).toBe('')
  sharedStorage.setItem = () => {
    throw new Error('full')
  }
  const drafts = open()
  expect(() => drafts.write('a', draft('字'))).not.toThrow()
  expect(drafts.read('a').text).toBe('字')
})
