/** How much of the gateway this process carries at a time; beyond it a new call is told to come back. */
export type Capacity = {
  /** Calls under way, background runs too. */
  max_calls: number
  /** Bytes of the bodies of those calls. */
  max_body_bytes: number
}

export const DEFAULT_CAPACITY: Capacity = { max_calls: 5_000, max_body_bytes: 256_000_000 }
