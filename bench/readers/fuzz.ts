import { fork } from 'node:child_process'
import { readDocument } from '#server/formats/formats.ts'
import type { FuzzJob, FuzzResult } from './fuzz-process.ts'
import { formatDelay, watchLoop } from './loop.ts'
import { mutate } from './mutate.ts'
import { listSeeds } from './seeds.ts'

/** A reading that takes longer has hung. */
const HANG_MS = 30_000
/** A file is named that lets the process of the readings grow beyond this, bytes. */
const MUCH_MEMORY = 400 * 2 ** 20
/** One of this many mutants goes through the readers' entry, in a process of its own. */
const THROUGH_ENTRY = 50

/**
 * Bar P7: mutated files. One process reads most of them, one after the other, so that a mutant costs milliseconds. One in fifty,
 * and each that ends that process, is read as the server reads it. A mutant is named by its seed.
 */
export async function runFuzz(files: number, firstSeed: number, folders: string[]): Promise<void> {
  const kinds = [...listSeeds(folders)]
  console.log(kinds.map(([kind, seeds]) => `${kind} ${seeds.length}`).join(', '))
  const delay = { clock: 0, cpu: 0 }
  const outcomes = new Map<string, number>()
  const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  let [slowest, memory] = [0, 0]
  let child = startProcess()
  const started = performance.now()
  for (let seed = firstSeed; seed < firstSeed + files; seed++) {
    // Every kind of file comes as often as the others, however many there are of each.
    const seeds = kinds[seed % kinds.length]?.[1] ?? []
    const source = seeds[Math.floor(seed / kinds.length) % seeds.length]
    if (!source) continue
    const bytes = mutate(source.bytes, seed)
    const endWatch = watchLoop()
    const began = performance.now()
    if (seed % THROUGH_ENTRY === 0) {
      count(await readAsServer(bytes, source.name))
    } else {
      const result = await child.read({ name: source.name, bytes })
      if (result === 'crash' || result === 'hang') {
        console.log(`${result}: seed ${seed}, ${source.name}`)
        child = startProcess()
        // The server's own limits are for files that end a process.
        count(`${result}, then ${await readAsServer(bytes, source.name)}`)
      } else {
        count(result.outcome)
        if (result.memory > Math.max(memory, MUCH_MEMORY))
          console.log(`${(result.memory / 2 ** 20).toFixed(0)} MB: seed ${seed}, ${source.name}`)
        memory = Math.max(memory, result.memory)
      }
    }
    const { clock, cpu } = endWatch()
    Object.assign(delay, { clock: Math.max(delay.clock, clock), cpu: Math.max(delay.cpu, cpu) })
    slowest = Math.max(slowest, performance.now() - began)
    if (seed % 2000 === 0) {
      console.log(
        `${seed - firstSeed} files, ${((performance.now() - started) / 1000).toFixed(0)} s, rss ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`,
      )
    }
  }
  child.end()
  const sorted = [...outcomes].sort((one, other) => other[1] - one[1])
  console.log(
    `${files} files of ${kinds.length} kinds: slowest ${slowest.toFixed(0)} ms; ` +
      `${formatDelay(delay)}; process of the readings ${(memory / 2 ** 20).toFixed(0)} MB, this one ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB at most`,
  )
  console.log(sorted.map(([outcome, times]) => `${outcome} ${times}`).join(', '))
}

/** Returns the result that a person would see. */
const readAsServer = (bytes: Buffer, name: string): Promise<string> =>
  readDocument({ source: { bytes }, name, recognise: async () => '' }).then(
    () => 'read',
    (error: { code?: string }) => error.code ?? 'unknown',
  )

type FuzzProcess = { read(job: FuzzJob): Promise<FuzzResult | 'crash' | 'hang'>; end(): void }

function startProcess(): FuzzProcess {
  const child = fork(new URL('./fuzz-process.ts', import.meta.url), {
    execArgv: ['--max-old-space-size=256'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return {
    read: (job) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          child.kill('SIGKILL')
          end('hang')
        }, HANG_MS)
        const end = (result: FuzzResult | 'crash' | 'hang'): void => {
          clearTimeout(timer)
          child.off('message', onMessage).off('exit', onExit)
          resolve(result)
        }
        const onMessage = (message: unknown): void => end(message as FuzzResult)
        const onExit = (code: number | null, signal: string | null): void => {
          console.log(signal ?? code)
          end('crash')
        }
        child.on('message', onMessage).on('exit', onExit)
        child.send(job)
      }),
    end: () => void child.kill('SIGKILL'),
  }
}
