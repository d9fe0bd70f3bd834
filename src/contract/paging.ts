import { z } from 'zod'
import { NOBODY } from './chatbot.ts'

/** The page envelope of the specification (section 3): urls are relative, a page out of range is empty. */
export const paginated = <T extends z.ZodType>(item: T) =>
  z.object({
    total: z.int().describe('总数'),
    items: z.array(item).describe('这一页的内容'),
    prev_url: z.string().nullable().describe('上一页的地址；没有则为空'),
    next_url: z.string().nullable().describe('下一页的地址；没有则为空'),
    cur_page: z.int().describe('当前页'),
    from: z.int().describe('这一页的第一条是第几条'),
    to: z.int().describe('这一页的最后一条是第几条'),
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
  .meta({ minimum: 1, description: '第几页，从 1 起' })
  .transform((page) => page || 1)

/** Items of a page, with the default of its list. Numbers above MAX_PAGE_SIZE count as that. */
export const pageSize = (size: number) =>
  z
    .int()
    .min(0)
    .default(size)
    .meta({ minimum: 1, maximum: MAX_PAGE_SIZE, description: '每页的条数' })
    .transform((requestedSize) => Math.min(requestedSize || size, MAX_PAGE_SIZE))
