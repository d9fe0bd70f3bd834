/** Makes the contract's page envelope: urls are relative, a page out of range is empty and counts from 0. */
export function toPageResponse<T>(
  items: T[],
  {
    total,
    page,
    size,
    url,
    query,
    size_name = 'size',
  }: {
    total: number
    page: number
    size: number
    url: string
    query: object
    /** The call's name for its page size. */
    size_name?: string
  },
) {
  const first = (page - 1) * size
  const toUrl = (number: number) =>
    `${url}?${new URLSearchParams({ ...query, page: String(number), [size_name]: String(size) }).toString()}`
  return {
    total,
    items,
    prev_url: page > 1 && total > 0 ? toUrl(Math.min(page - 1, Math.ceil(total / size))) : null,
    next_url: first + items.length < total && items.length > 0 ? toUrl(page + 1) : null,
    cur_page: page,
    from: items.length ? first + 1 : 0,
    to: items.length ? first + items.length : 0,
  }
}

/** Makes the envelope of a list that is requested by offset, such as the list of agents (specification section 7). */
export function toOffsetResponse<T>(
  items: T[],
  {
    total,
    offset,
    size,
    url,
    query,
  }: { total: number; offset: number; size: number; url: string; query: Record<string, string> },
) {
  const toUrl = (from: number) =>
    `${url}?${new URLSearchParams({ ...query, offset: String(from), size: String(size) }).toString()}`
  const end = offset + items.length
  return {
    total,
    items,
    prev_url: offset > 0 && total > 0 ? toUrl(Math.max(0, Math.min(offset, total) - size)) : null,
    next_url: end < total && items.length > 0 ? toUrl(end) : null,
    cur_page: Math.floor(offset / size) + 1,
    from: items.length ? offset + 1 : 0,
    to: items.length ? end : 0,
  }
}
