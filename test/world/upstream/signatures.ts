import { createHmac } from 'node:crypto'

/** The first byte makes the base64 begin with an E, as Anthropic's does. */
const HEAD = Buffer.from([0x12])
const THOUGHT_BYTES = HEAD.length + 32

/** The signature of a thought, which belongs to its text and to no other, and to what came before it where that counts. */
export const sign = (thinking: string, binding: Buffer = Buffer.alloc(0)): string =>
  Buffer.concat([HEAD, createHmac('sha256', 'scripted').update(thinking).digest(), binding]).toString(
    'base64',
  )

/** True where this double has signed the thought. */
export const hasSignature = (thinking: string, signature: string): boolean =>
  Buffer.from(signature, 'base64').subarray(0, THOUGHT_BYTES).toString('base64') === sign(thinking)

/** What a signature says about what came before the thought; empty where it says nothing. */
export const readBinding = (signature: string): Buffer =>
  Buffer.from(signature, 'base64').subarray(THOUGHT_BYTES)
