import { z } from 'zod'
import { PRIVATE, PUBLIC, SHARED } from './agent-defaults.ts'

export const visible = z
  .union([z.literal(PRIVATE), z.literal(SHARED), z.literal(PUBLIC)])
  .describe('谁可以看到：0 自己、1 组织、2 所有人')
/** The words of the specification (section 6) stand for their numbers. */
export const writtenVisible = z
  .union([
    visible,
    z.literal('private').transform((): typeof PRIVATE => PRIVATE),
    z.literal('public').transform((): typeof PUBLIC => PUBLIC),
  ])
  .describe('谁可以看到：0 自己（private）、1 组织、2 所有人（public）')
