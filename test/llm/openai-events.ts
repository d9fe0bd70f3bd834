import { useResource } from '#test/world/use-world.ts'
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

/** An upstream, and what its answer of exactly these bytes is read as. */
export function useRawAnswers() {
  const upstream: Upstream = useResource(
    () => startUpstream(),
    (started) => started.close(),
  )
  const read = (...raw: string[]): Promise<CollectedStream> => {
    upstream.script('m', { raw })
    return callProvider(createTarget(upstream.url, { model: 'm' }))
  }
  return { upstream, read }
}
