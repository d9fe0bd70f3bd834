import { z } from 'zod'
import { NOBODY } from './chatbot.ts'

/** The page envelope of the specification (section 3): urls are relative, a page out of range is empty. */
export const paginated = <T extends z.ZodType>(item: T) =>
  z.object({
    total: z.int(),
    items: z.array(item),
    prev_url: z.string().nullable(),
    next_url: z.string().nullable(),
    cur_page: z.int(),
    from: z.int(),
    to: z.int(),
  })

/** A filter of a list by these words; any other becomes `unknown` and finds nothing. */
export const filterWord = <const T extends string>(words: readonly T[]) =>
  z.union([
    z.enum(words),
    z
      .string()
      .trim()
      .min(1)
      .max(120)
      .transform(() => 'unknown' as const),
  ])

/** A filter by an id; other text finds nothing. */
export const filterId = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .transform((text) => (z.uuid().safeParse(text).success ? text : NOBODY))

const MAX_PAGE_SIZE = 100

const MAX_PAGE = 1_000_000

/** A page of a list; the first one when absent or 0. */
export const pageNumber = z
  .int()
  .min(0)
  .max(MAX_PAGE)
  .default(1)
  .meta({ minimum: 1 })
  .transform((page) => page || 1)

/** Items of a page, with the default of its list. Numbers above MAX_PAGE_SIZE count as that. */
export const pageSize = (size: number) =>
  z
    .int()
    .min(0)
    .default(size)
    .meta({ minimum: 1, maximum: MAX_PAGE_SIZE })
    .transform((requestedSize) => Math.min(requestedSize || size, MAX_PAGE_SIZE))
