import { afterAll, beforeAll } from 'vitest'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import type { Upstream } from '#test/world/upstream/upstream.ts'
import { callProvider, createTarget } from './provider-call.ts'
import type { CollectedStream } from './provider-call.ts'

// Streams of OpenAI's dialect, byte for byte.

export const event = (body: object): string => `data: ${JSON.stringify(body)}\n\n`
export const delta = (body: object, more: object = {}): string =>
  event({ choices: [{ index: 0, delta: body, ...more }] })
export const finish = (reason: string): string => delta({}, { finish_reason: reason })
export const DONE = 'data: [DONE]\n\n'

/** Starts an upstream for the tests of a file; returns a function that reads its answer of exactly these bytes. */
export function useRawAnswers() {
  let upstream: Upstream
  beforeAll(async () => {
    upstream = await startUpstream()
  })
  afterAll(() => upstream.close())
  return {
    script: (...script: Parameters<Upstream['script']>): void => upstream.script(...script),
    createTarget: (model: string) => createTarget(upstream.url, { model }),
    read: (...raw: string[]): Promise<CollectedStream> => {
      upstream.script('m', { raw })
      return callProvider(createTarget(upstream.url, { model: 'm' }))
    },
  }
}
