import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeProject } from './fake-project.ts'

let project: FakeProject
beforeEach(async () => {
  project = await FakeProject.create()
})
afterEach(() => project.remove())

/** Returns a script that makes a process believe it runs elsewhere. */
const machine = (facts: Record<string, unknown>): string =>
  Object.entries(facts)
    .map(([name, value]) => `Object.defineProperty(process, '${name}', { value: ${JSON.stringify(value)} });`)
    .join('')

/** Expects one sentence in Chinese and one in English at the end, and no trace of code. */
function expectSentence(end: { code: number | null; output: string }, zh: string, en: string): void {
  expect(end.code).toBe(1)
  expect(end.output).not.toMatch(/^\s+at |\.mjs|Error:/m)
  const [chinese, english] = end.output.trim().split('\n').slice(-2)
  expect(chinese).toContain(zh)
  expect(english).toContain(en)
}

test('npm is not there', async () => {
  expectSentence(await project.start({ path: 'empty' }).ended, '找不到 npm', 'apt install npm')
})

test.each([
  ['npm error code ECONNREFUSED', '无法连接 npm 软件源', 'registry cannot be reached'],
  ['npm error code ENOSPC', '磁盘空间不足', 'disk is full'],
  ['npm error code EACCES', '没有写入权限', 'Writing is not permitted'],
  ['npm error code EINTEGRITY', '依赖安装失败', 'EINTEGRITY'],
])('%s', async (said, zh, en) => {
  await project.write('npm-error', said)
  expectSentence(await project.start().ended, zh, en)
})

test.each([
  ['an outdated Node', { versions: { node: '16.20.0' }, version: 'v16.20.0' }, 'Node 18', 'v16.20.0'],
  ['macOS with Node 20', { platform: 'darwin', version: 'v20.1.0' }, 'Node 24.12', 'brew install node@24'],
  ['Linux on s390x with Node 24.11', { arch: 's390x', version: 'v24.11.9' }, 'Node 24.12', 'v24.11.9'],
  ['Windows', { platform: 'win32' }, 'wsl --install', 'wsl --install'],
])('%s', async (_, facts, zh, en) => {
  expectSentence(await project.start({ machine: machine(facts) }).ended, zh, en)
  expect(project.lines('npm-calls')).toEqual([])
})

test('a system with musl', async () => {
  const musl = 'process.report.getReport = () => ({ header: {} })'
  expectSentence(await project.start({ machine: musl }).ended, 'musl', 'glibc')
})

test('a full disk, before anything is written', async () => {
  const full = `import fs from 'node:fs'; fs.statfsSync = () => ({ bavail: 1000, bsize: 4096 })`
  expectSentence(await project.start({ machine: full }).ended, '磁盘空间不足', 'disk is full')
  expect(project.lines('npm-calls')).toEqual([])
})

test('npm running on an older Node is told of Node 24, or it would leave binaries out', async () => {
  await project.start({ machine: machine({ version: 'v20.1.0' }) }).ended
  expect(project.lines('npm-node')).toEqual(['v24.12.0'])
})

test('macOS with its own Node 24 is enough', async () => {
  const own = machine({ platform: 'darwin', version: 'v24.12.0' })
  expect(await project.start({ machine: own }).ended).toMatchObject({ code: 0 })
})
