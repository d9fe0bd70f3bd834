import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A request in undici's channels. */
type OutgoingRequest = { origin?: string | URL; addHeader(name: string, value: string): void }

const HEADER = 'x-on-its-way'

/** Tracks the requests that a client in this process has begun and the server at `origin` has not received yet. */
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
    /** Notes the arrival of a request, and removes its mark. */
    note({ headers }: IncomingMessage): void {
      onTheirWay.delete(String(headers[HEADER]))
      delete headers[HEADER]
    },
    /** Waits until each of them has arrived, or never can. */
    async wait(): Promise<void> {
      while (onTheirWay.size) await nextTurn()
    },
    stop(): void {
      unsubscribe('undici:request:create', onCreate)
      unsubscribe('undici:request:error', onError)
    },
  }
}
