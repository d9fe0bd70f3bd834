import { createHmac } from 'node:crypto'

/** The first byte makes the base64 begin with an E, as Anthropic's does. */
const HEAD = Buffer.from([0x12])
const THOUGHT_BYTES = HEAD.length + 32

/** Signs a thought: its text and, where that counts, everything before it. */
export const sign = (thinking: string, binding: Buffer = Buffer.alloc(0)): string =>
  Buffer.concat([HEAD, createHmac('sha256', 'scripted').update(thinking).digest(), binding]).toString(
    'base64',
  )

/** Tells whether this double has signed the thought. */
export const hasSignature = (thinking: string, signature: string): boolean =>
  Buffer.from(signature, 'base64').subarray(0, THOUGHT_BYTES).toString('base64') === sign(thinking)

/** Returns the part of a signature about the prompt before the thought; empty where it has none. */
export const readBinding = (signature: string): Buffer =>
  Buffer.from(signature, 'base64').subarray(THOUGHT_BYTES)
