import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { readDocument } from '#server/readers/readers.ts'
import type { FuzzJob, FuzzResult } from './fuzz-thread.ts'
import { formatDelay, watchLoop } from './loop.ts'
import { mutate } from './mutate.ts'

/** Larger seeds make few mutants a second. */
const MAX_SEED_BYTES = 300_000
/** One that takes longer has hung. */
const HANG_MS = 30_000
/** Of so many mutants one goes through the entry of the room, in a thread of its own. */
const THROUGH_ENTRY = 50

/**
 * Bar P7: mutated files. Most are read by one thread that goes on from file to file, so that a mutant costs milliseconds;
 * one of fifty as the server reads them. A mutant is named by its seed.
 */
export async function runFuzz(files: number, first_seed: number, data: string): Promise<void> {
  const seeds = globSync(
    [join(data, 'documents/**/*.*'), join(data, 'pdf-cjk/*.pdf'), 'test/readers/fixtures/*'],
    {
      exclude: ['**/groundtruth/**'],
    },
  )
    .map((path) => ({ name: basename(path), bytes: readFileSync(path) }))
    .filter(({ bytes }) => bytes.length > 0 && bytes.length <= MAX_SEED_BYTES)
  if (!seeds.length) throw new Error(`no files below ${data}`)
  const delay = { clock: 0, cpu: 0 }
  const outcomes = new Map<string, number>()
  const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  let [crashes, hangs, slowest, memory] = [0, 0, 0, 0]
  const base = process.memoryUsage().rss
  let thread = startThread()
  const started = performance.now()
  for (let seed = first_seed; seed < first_seed + files; seed++) {
    const source = seeds[seed % seeds.length]
    if (!source) continue
    const bytes = mutate(source.bytes, seed)
    const endWatch = watchLoop()
    const began = performance.now()
    if (seed % THROUGH_ENTRY === 0) {
      await readDocument({ source: { bytes }, name: source.name, recognise: async () => '' }).then(
        () => count('read'),
        (error: { code?: string }) => count(error.code ?? 'unknown'),
      )
    } else {
      const result = await thread.read({ name: source.name, bytes })
      if (result === 'crash' || result === 'hang') {
        console.log(`${result}: seed ${seed}, ${source.name}`)
        if (result === 'crash') crashes++
        else hangs++
        thread = startThread()
      } else {
        count(result.outcome)
        memory = Math.max(memory, result.memory)
      }
    }
    const { clock, cpu } = endWatch()
    Object.assign(delay, { clock: Math.max(delay.clock, clock), cpu: Math.max(delay.cpu, cpu) })
    slowest = Math.max(slowest, performance.now() - began)
    if (seed % 2000 === 0) {
      console.log(
        `${seed - first_seed} files, ${((performance.now() - started) / 1000).toFixed(0)} s, rss ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`,
      )
    }
  }
  await thread.end()
  const sorted = [...outcomes].sort((one, other) => other[1] - one[1])
  console.log(
    `${files} files of ${seeds.length} seeds: ${crashes} crashes, ${hangs} hangs; slowest ${slowest.toFixed(0)} ms; ` +
      `${formatDelay(delay)}; heap and buffers of the thread ${(memory / 2 ** 20).toFixed(0)} MB, ` +
      `process ${(process.resourceUsage().maxRSS / 1024 - base / 2 ** 20).toFixed(0)} MB more, at most`,
  )
  console.log(sorted.map(([outcome, times]) => `${outcome} ${times}`).join(', '))
}

type FuzzThread = { read(job: FuzzJob): Promise<FuzzResult | 'crash' | 'hang'>; end(): Promise<unknown> }

function startThread(): FuzzThread {
  const worker = new Worker(new URL('./fuzz-thread.ts', import.meta.url), {
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 307, maxYoungGenerationSizeMb: 32 },
  })
  return {
    read: (job) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          void worker.terminate()
          resolve('hang')
        }, HANG_MS)
        const end = (result: FuzzResult | 'crash'): void => {
          clearTimeout(timer)
          worker.off('message', end).off('error', crash).off('exit', crash)
          resolve(result)
        }
        const crash = (error: unknown): void => {
          console.log(error)
          end('crash')
        }
        worker.on('message', end).on('error', crash).on('exit', crash)
        worker.postMessage(job)
      }),
    end: () => worker.terminate(),
  }
}
