import { createHmac } from 'node:crypto'

/** The first byte makes the base64 begin with an E, as Anthropic's does. */
const HEAD = Buffer.from([0x12])

/** The signature of a thought, which belongs to its text and to no other. */
export const sign = (thinking: string): string =>
  Buffer.concat([HEAD, createHmac('sha256', 'scripted').update(thinking).digest()]).toString('base64')

/** True where this double has signed the thought. */
export const hasSignature = (thinking: string, signature: string): boolean => signature === sign(thinking)
