/** How much of the gateway this process carries at a time; beyond it a new call is told to come back. */
export type Capacity = {
  /** Calls under way, background runs too. */
  most_calls: number
  /** Bytes of the bodies of those calls. */
  most_body_bytes: number
}

export const CAPACITY: Capacity = { most_calls: 5_000, most_body_bytes: 256_000_000 }
