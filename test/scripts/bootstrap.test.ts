import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isRunning, FakeProject } from './fake-project.ts'

let project: FakeProject
beforeEach(async () => {
  project = await FakeProject.create()
})
afterEach(() => project.remove())

const run = () => project.start().ended
const counts = () => ({ npm: project.lines('npm-calls').length, builds: project.lines('vite-calls') })

describe('staleness', () => {
  test('a fresh clone is installed and built; a second start does nothing', async () => {
    expect(await run()).toMatchObject({ code: 0 })
    expect(project.lines('dist/web/main.js')).toEqual(['first'])
    expect(await run()).toEqual({ code: 0, output: '' })
    expect(counts()).toEqual({ npm: 1, builds: ['web', 'reading'] })
    expect(await project.leftovers()).toEqual([])
  })

  test('a changed source is built again, without installing', async () => {
    await run()
    await project.write('src/web/main.tsx', 'second')
    await run()
    expect(project.lines('dist/web/main.js')).toEqual(['second'])
    expect(counts()).toEqual({ npm: 1, builds: ['web', 'reading', 'web'] })
  })

  test('a changed reader of documents is built again, and the web is not', async () => {
    await run()
    await project.write('src/server/formats/read.ts', 'second')
    await run()
    expect(counts()).toEqual({ npm: 1, builds: ['web', 'reading', 'reading'] })
  })

  test('a source of the same size and time, written after it was found unchanged, is built again', async () => {
    const later = 'const { now } = Date; Date.now = () => now() + 60_000'
    await run()
    expect(await project.start({ machine: later }).ended).toEqual({ code: 0, output: '' })
    expect(project.has('dist/web.stamp')).toBe(true)
    const source = join(project.root, 'src/web/main.tsx')
    const { atime, mtime } = await stat(source)
    await project.write('src/web/main.tsx', 'other')
    await utimes(source, atime, mtime)
    await run()
    expect(project.lines('dist/web/main.js')).toEqual(['other'])
    expect(counts()).toEqual({ npm: 1, builds: ['web', 'reading', 'web'] })
  })

  test('a changed lockfile is installed again', async () => {
    await run()
    await project.lock({ 'node_modules/a': { version: '1.0.1' } })
    await run()
    expect(project.lines('node_modules/.package-lock.json')).toEqual(project.lines('package-lock.json'))
    expect(counts().npm).toBe(2)
  })

  test('optional packages that npm left out, being of other systems, are not missed', async () => {
    await run()
    await project.lock({
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '1.0.0', optional: true },
      'node_modules/c': { version: '1.0.0', optional: true, os: ['aix'], cpu: [process.arch] },
    })
    await run()
    expect(counts().npm).toBe(1)
  })

  test('an optional package for this system is missed', async () => {
    await run()
    await project.lock({
      'node_modules/a': { version: '1.0.0' },
      'node_modules/c': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] },
    })
    await run()
    expect(counts().npm).toBe(2)
  })

  test('a web that does not build says why, and the one built before stays', async () => {
    await run()
    await project.write('src/web/main.tsx', 'broken')
    const { code, output } = await run()
    expect(code).toBe(1)
    expect(output).toContain('main.tsx: unexpected token')
    expect(project.lines('dist/web/main.js')).toEqual(['first'])
  })
})

describe('at the same time, and killed', () => {
  test('of three started together one installs and builds, all succeed', async () => {
    const ends = await Promise.all([run(), run(), run()])
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(counts()).toEqual({ npm: 1, builds: ['web', 'reading'] })
    expect(await project.leftovers()).toEqual([])
  })

  test('killed while installing: nothing half made, and the next start is not held up', async () => {
    await project.write('hold', '')
    const { child, ended } = project.start()
    await expect.poll(() => counts().npm).toBe(1)
    child.kill('SIGKILL')
    await ended
    expect(project.has('node_modules')).toBe(false)
    const next = project.start()
    await expect.poll(() => counts().npm).toBe(2)
    await expect.poll(() => isRunning(Number(project.lines('npm-calls')[0]))).toBe(false)
    await project.delete('hold')
    expect(await next.ended).toMatchObject({ code: 0 })
    expect(await project.leftovers()).toEqual([])
  })

  test('killed in the moment in which npm begins: npm is ended by the next start', async () => {
    await project.write('hold', '')
    const machine = `import child_process from 'node:child_process'
      import { syncBuiltinESMExports } from 'node:module'
      const { spawn } = child_process
      child_process.spawn = (...command) => {
        const child = spawn(...command)
        if (command[1][0] === 'ci') process.kill(process.pid, 'SIGKILL')
        return child
      }
      syncBuiltinESMExports()`
    await project.start({ machine }).ended
    await expect.poll(() => counts().npm).toBe(1)
    const npm = Number(project.lines('npm-calls')[0])
    const next = project.start()
    await expect.poll(() => isRunning(npm)).toBe(false)
    await project.delete('hold')
    expect(await next.ended).toMatchObject({ code: 0 })
  })

  test('one that waits for another goes on when that one is killed', async () => {
    await project.write('hold', '')
    const first = project.start()
    await expect.poll(() => counts().npm).toBe(1)
    const second = project.start()
    await expect.poll(() => second.getOutput()).toContain(`${first.child.pid}`)
    first.child.kill('SIGKILL')
    await expect.poll(() => counts().npm).toBe(2)
    await project.delete('hold')
    expect(await second.ended).toMatchObject({ code: 0 })
  })

  test('a lock left by a killed process is passed over, though its pid is now of another', async () => {
    await run()
    await project.write('.bootstrap-lock/7', JSON.stringify({ pid: process.pid, born: '1' }))
    await project.write('src/web/main.tsx', 'second')
    expect(await run()).toMatchObject({ code: 0 })
    expect(counts().builds).toEqual(['web', 'reading', 'web'])
  })

  test('when the shell that started it dies, it ends and takes npm with it', async () => {
    await project.write('hold', '')
    const { child } = project.spawn('/bin/sh', [
      '-c',
      `${process.execPath} scripts/bootstrap.mjs start; true`,
    ])
    await expect.poll(() => counts().npm).toBe(1)
    const npm = Number(project.lines('npm-calls')[0])
    expect(isRunning(npm)).toBe(true)
    child.kill('SIGTERM')
    await expect.poll(() => isRunning(npm)).toBe(false)
    expect(project.has('node_modules')).toBe(false)
  })
})
