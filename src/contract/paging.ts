import { z } from 'zod'

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

const MAX_PAGE_SIZE = 100

/** A page number from a query string. */
export const pageNumber = z.coerce.number().int().min(1).max(1_000_000).default(1)

/** A page size from a query string, with the default of its list. Who asks for more than MAX_PAGE_SIZE is given that many. */
export const pageSize = (size: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .transform((asked) => Math.min(asked, MAX_PAGE_SIZE))
    .default(size)
