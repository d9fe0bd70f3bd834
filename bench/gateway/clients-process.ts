import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Completions to make, and how many of them at once; the URL is without /v1. */
export type Load = {
  url: string
  headers: Record<string, string>
  body: string
  calls: number
  at_once: number
}
export type LoadResult = { seconds: number; p50_ms: number; p99_ms: number; failed: number }

/** Runs a file of this folder in a process of its own, with the sent object as its input, and returns its answer. */
export async function runInProcess<Sent extends object, Answer>(file: string, sent: Sent): Promise<Answer> {
  const child = fork(new URL(file, import.meta.url))
  child.send(sent)
  const [answer] = (await once(child, 'message')) as [Answer]
  child.kill()
  return answer
}
