import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { birth } from './process.mjs'

// The folder has files named 1, 2, 3 …; the highest one names the owner. A number is taken with link(), which succeeds for one
// process only and never shows a half-written file. On release the highest file is emptied, never deleted: so a process that
// looked a moment ago cannot take a number that was already used.

/** Runs `work` while no other process is inside it for the same folder. A killed owner does not count. */
export async function withLock(folder, work) {
  const mine = await acquire(folder)
  try {
    return await work()
  } finally {
    writeFileSync(mine, '')
  }
}

async function acquire(folder) {
  let told = false
  for (;;) {
    const last = highest(folder)
    const owner = last && ownerOf(join(folder, String(last)))
    if (owner && isAlive(owner)) {
      if (!told)
        console.log(
          `等待另一个进程完成准备（进程 ${owner.pid}） Waiting for process ${owner.pid} to prepare …`,
        )
      told = true
      await wait(200)
    } else if (take(folder, last + 1)) {
      return join(folder, String(last + 1))
    }
  }
}

function take(folder, number) {
  const file = join(folder, String(number))
  const draft = join(folder, `draft-${process.pid}`)
  writeFileSync(draft, JSON.stringify({ pid: process.pid, born: birth(process.pid) }))
  try {
    linkSync(draft, file)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft)
  }
  if (highest(folder) !== number) {
    rmSync(file)
    return false
  }
  for (const old of numbers(folder)) if (old < number) rmSync(join(folder, String(old)), { force: true })
  return true
}

const numbers = (folder) =>
  readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
const highest = (folder) => Math.max(0, ...numbers(folder))

/** Returns undefined when the lock is free: the file is empty, or a higher number has replaced it meanwhile. */
function ownerOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function isAlive({ pid, born }) {
  const now = birth(pid)
  return now !== undefined && now === born
}
