import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, isInstalled } from './install.mjs'
import { withLock } from './lock.mjs'
import { checkMachine, checkNode } from './machine.mjs'
import { killLeftBehind, stopWithParent } from './run.mjs'
import { knownCause, Unmet } from './unmet-requirement.mjs'
import { build, listStaleBuilds } from './builds.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** @param {string} command start, dev or test; `dev` runs the sources, and needs no build. Ends the process with 1 on failure. */
export async function prepare(command) {
  stopWithParent()
  // From here on the packages' commands come first, as in the shell of an npm script.
  process.env.PATH = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`
  const listBuilds = () => (command === 'dev' ? [] : listStaleBuilds(root))
  try {
    if (!isInstalled(root) || listBuilds().length > 0) await underLock(listBuilds)
    checkNode()
  } catch (error) {
    const known = error instanceof Unmet ? error : knownCause(String(error.code))
    console.error((known ?? error).message)
    // Readers of the last line of `npm test` find it here, too.
    if (command === 'test') console.log('0 passed, 1 failed')
    process.exit(1)
  }
}

async function underLock(listBuilds) {
  const folder = join(root, '.bootstrap-lock')
  mkdirSync(folder, { recursive: true })
  await withLock(folder, async () => {
    removeWork(folder)
    // Everything is made in this folder and moved into place when complete: a kill leaves nothing half made, and a child that
    // outlived an earlier run writes into a folder of its own.
    const work = mkdtempSync(join(folder, 'work-'))
    try {
      if (!isInstalled(root)) {
        checkMachine(root)
        await install(root, work)
      }
      for (const name of listBuilds()) await build(root, work, name)
    } finally {
      removeWork(folder)
    }
  })
}

function removeWork(folder) {
  for (const name of readdirSync(folder).filter((name) => name.startsWith('work-'))) {
    killLeftBehind(join(folder, name))
    try {
      rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // A process still writes to it; the next run removes it.
    }
  }
}
