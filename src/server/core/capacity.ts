import { AppError } from './app-error.ts'

/** The load that this process carries at a time, and its patience with clients. */
export type Capacity = {
  /** Calls under way, open streams and background runs included; the gateway and the app have as many each. */
  max_calls: number
  /** Bytes of the bodies of those calls, for the gateway and the app each. */
  max_body_bytes: number
  /** Bytes of the pictures in questions on their way to platforms. A quarter has room for the largest comparison. */
  max_picture_bytes: number
  /** Bytes of the pictures of one question to one model. */
  max_question_picture_bytes: number
  /** How long a body may bring nothing before its connection is closed, ms. */
  max_upload_stall_ms: number
  /** How long a request other than an upload may take to arrive, ms. */
  max_request_ms: number
  /** How long a client may accept none of the data sent to it before its connection is closed, ms. */
  max_reader_stall_ms: number
  /** How long a run waits for the same call to be repeated when its client left before anything was sent to it, ms. */
  abandoned_grace_ms: number
}

export const DEFAULT_CAPACITY: Capacity = {
  max_calls: 5_000,
  max_body_bytes: 256_000_000,
  max_picture_bytes: 2_000_000_000,
  max_question_picture_bytes: 50_000_000,
  max_upload_stall_ms: 10_000,
  max_request_ms: 300_000,
  max_reader_stall_ms: 60_000,
  abandoned_grace_ms: 60_000,
}

/**
 * The largest part that one holder may use, so that nobody takes everything. Many people may share an address; a program of an
 * account may have a thousand calls under way, over all of its keys; a visitor is one person in a browser.
 */
const SHARES = { process: 1, address: 1 / 2, account: 1 / 4, visitor: 1 / 50 }
/** A page makes several calls at once, so every holder may have this many. */
const MIN_SHARE = 4
/** Seconds after which a client is asked to try again. */
const RETRY_AFTER_S = 1

/** A user of capacity: the process as a whole, or one of those that it serves. */
export type Holder = { type: keyof typeof SHARES; id: string }

export const PROCESS: Holder = { type: 'process', id: '' }

/** The capacity that one request uses, until it is released. */
export type Reservation = {
  /** Adds an amount for each holder. Throws AppError: overloaded when all is in use, too_many_calls when a share is. */
  reserve(amount: number, holders: readonly Holder[]): void
  release: () => void
}

export type CapacityCounter = ReturnType<typeof createCapacityCounter>

/** Counts the calls or bytes in use, out of `max`, in all and by holder. */
export function createCapacityCounter(max: number) {
  const usage = new Map<string, number>()
  const add = (name: string, amount: number): void => {
    const sum = (usage.get(name) ?? 0) + amount
    if (sum > 0) usage.set(name, sum)
    else usage.delete(name)
  }
  const getLimit = ({ type }: Holder): number =>
    type === 'process' ? max : Math.max(MIN_SHARE, max * SHARES[type])

  /** Throws AppError when this much more is not available. */
  const assertRoom = (amount: number, holders: readonly Holder[]): void => {
    for (const holder of holders) {
      if ((usage.get(holder.type + holder.id) ?? 0) + amount <= getLimit(holder)) continue
      const code = holder.type === 'process' ? 'overloaded' : 'too_many_calls'
      throw new AppError(code, { retry_after: RETRY_AFTER_S })
    }
  }

  return {
    assertRoom,
    open(): Reservation {
      const amounts: [name: string, amount: number][] = []
      let isReleased = false
      return {
        reserve(amount, holders) {
          assertRoom(amount, holders)
          // The client left while its request was being checked: nothing would release the amount.
          if (isReleased) return
          for (const { type, id } of holders) {
            add(type + id, amount)
            amounts.push([type + id, amount])
          }
        },
        release() {
          isReleased = true
          for (const [name, amount] of amounts.splice(0)) add(name, -amount)
        },
      }
    },
  }
}
