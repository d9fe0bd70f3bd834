import { once } from 'node:events'
import { fork } from 'node:child_process'

/** Completions to make, so many at once; of a URL without /v1. */
export type Load = { url: string; key: string; body: string; calls: number; at_once: number }
export type Result = { seconds: number; p50_ms: number; p99_ms: number; failed: number }

/** Makes the calls in a process of its own. */
export async function load(what: Load): Promise<Result> {
  const child = fork(new URL('clients.ts', import.meta.url))
  child.send(what)
  const [result] = (await once(child, 'message')) as [Result]
  child.kill()
  return result
}
