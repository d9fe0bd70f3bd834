import { z } from 'zod'
import { PRIVATE, PUBLIC, SHARED } from './agent-defaults.ts'

export const visible = z.union([z.literal(PRIVATE), z.literal(SHARED), z.literal(PUBLIC)])
/** The words of the specification (section 6) stand for their numbers. */
export const writtenVisible = z.union([
  visible,
  z.literal('private').transform((): typeof PRIVATE => PRIVATE),
  z.literal('public').transform((): typeof PUBLIC => PUBLIC),
])
