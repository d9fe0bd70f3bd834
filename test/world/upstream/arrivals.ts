import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** As undici's channels have it. */
type OutgoingRequest = { origin?: string | URL; addHeader(name: string, value: string): void }

const HEADER = 'x-on-its-way'

/** Knows which requests a client in this same process has begun and the server at `origin` has not got yet. */
export function watchArrivals(origin: string) {
  const onTheirWay = new Map<string, OutgoingRequest>()
  let begun = 0

  const onCreate = (message: unknown): void => {
    const { request } = message as { request: OutgoingRequest }
    if (String(request.origin).replace(/\/$/, '') !== origin) return
    const id = String(++begun)
    onTheirWay.set(id, request)
    request.addHeader(HEADER, id)
  }
  const onError = (message: unknown): void => {
    const { request } = message as { request: OutgoingRequest }
    for (const [id, one] of onTheirWay) if (one === request) onTheirWay.delete(id)
  }
  subscribe('undici:request:create', onCreate)
  subscribe('undici:request:error', onError)

  return {
    /** Notes a request that is there, and takes the mark from it. */
    note({ headers }: IncomingMessage): void {
      onTheirWay.delete(String(headers[HEADER]))
      delete headers[HEADER]
    },
    /** Waits until each of them has arrived, or cannot any more. */
    async wait(): Promise<void> {
      while (onTheirWay.size) await nextTurn()
    },
    stop(): void {
      unsubscribe('undici:request:create', onCreate)
      unsubscribe('undici:request:error', onError)
    },
  }
}
