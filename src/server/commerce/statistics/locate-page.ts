/** The place of a page: the days that it is on, and how many lines of the first of them come before it. */
export type PagePlace = { days: string[]; skip: number; limit: number }

/** Finds a page from the count of lines of each day, newest first, so that nothing before it has to be read. */
export function locatePage(
  days: { day: string; total: number }[],
  { offset, limit }: { offset: number; limit: number },
): PagePlace {
  const place: PagePlace = { days: [], skip: 0, limit }
  let before = 0
  for (const { day, total } of days) {
    if (before >= offset + limit) break
    if (before + total > offset) {
      if (!place.days.length) place.skip = offset - before
      place.days.push(day)
    }
    before += total
  }
  return place
}
