import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Runs a program of this folder as a process of its own. */
export function startChild(file: string, args: string[]) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const listeners = new Set<() => void>()
  let errors = ''
  let ended = false
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const listener of listeners) listener()
  })
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  const exit = new Promise<number | null>((resolve) => {
    // `close` comes after the last line has been read.
    child.on('close', (code) => {
      ended = true
      for (const listener of listeners) listener()
      resolve(code)
    })
  })

  return {
    /** Its output so far, line by line. */
    lines,
    errors: () => errors,
    exit,
    /** Waits for a line; rejects when the process ends without it. */
    waitForLine(isWanted: (line: string) => boolean): Promise<void> {
      return new Promise((resolve, reject) => {
        const check = (): void => {
          if (lines.some(isWanted)) resolve()
          else if (ended) reject(new Error(`the process ended before: ${errors}`))
          else return
          listeners.delete(check)
        }
        listeners.add(check)
        check()
      })
    },
    /** Sends kill -9, and waits for the end. */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await exit
    },
  }
}
