import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#server/core/app-error.ts'
import type { Egress, FetchedPage } from '#server/core/egress/egress.ts'

/** Most bytes of a link's content, which is read as a whole before it is stored. */
const MAX_BYTES = 20_000_000
/** Longest time of one try, and of all tries of a link whose site does not answer. */
const TRY_MS = 15_000
const TOTAL_MS = 25_000
/** Pauses before the second try and the third. */
const PAUSES_MS = [500, 2_000]
const LINK_ACCEPT = 'text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5'

/** Most links of one person that are open, and that wait, at a time. */
const MAX_OPEN = 3
const MAX_WAITING = 12
/** A little longer than the links before it may take, so that none is refused at the moment in which it could begin. */
const MAX_WAIT_MS = TOTAL_MS + 5_000

/** The links of one person: how many are open, and the callbacks that let waiting ones begin, the first to come first. */
type Line = { open: number; waiters: (() => void)[] }

/** Opens links of people: three of each person at a time, further ones in their order. */
export function createLinks(egress: Egress) {
  const lines = new Map<string, Line>()

  const waitForTurn = async (line: Line): Promise<void> => {
    if (line.open < MAX_OPEN) return void line.open++
    if (line.waiters.length >= MAX_WAITING) throw new AppError('link_busy')
    const turn = Promise.withResolvers<void>()
    line.waiters.push(turn.resolve)
    const timer = setTimeout(() => {
      line.waiters = line.waiters.filter((begin) => begin !== turn.resolve)
      turn.reject(new AppError('link_busy'))
    }, MAX_WAIT_MS)
    await turn.promise.finally(() => clearTimeout(timer))
  }

  /** Fetches a page, again where its site does not answer, as long as there is time. */
  const fetchPage = async (url: string): Promise<FetchedPage> => {
    const endsAt = performance.now() + TOTAL_MS
    for (let tries = 0; ; tries++) {
      try {
        const remainingMs = Math.ceil(endsAt - performance.now())
        const limits = { max_bytes: MAX_BYTES, timeout_ms: Math.min(TRY_MS, remainingMs) }
        return await egress.fetchUrl(url, { ...limits, accept: LINK_ACCEPT })
      } catch (error) {
        const pauseMs = PAUSES_MS[tries]
        const isSilent = error instanceof AppError && error.code === 'link_unanswered'
        if (!isSilent || pauseMs === undefined || performance.now() + pauseMs >= endsAt) throw error
        await sleep(pauseMs)
      }
    }
  }

  return {
    /**
     * Gives `save` the content behind a link. Throws AppError link_refused, link_failed, link_unanswered, link_too_large, and
     * link_busy where too many wait or this one has waited too long.
     */
    async open<T>(userId: string, url: string, save: (page: FetchedPage) => Promise<T>): Promise<T> {
      const line = lines.get(userId) ?? { open: 0, waiters: [] }
      lines.set(userId, line)
      await waitForTurn(line)
      try {
        const page = await fetchPage(url)
        if (!page.bytes.length) throw new AppError('link_failed')
        return await save(page)
      } finally {
        // Its place goes to the next one.
        const begin = line.waiters.shift()
        if (begin) begin()
        else if (--line.open === 0) lines.delete(userId)
      }
    },
  }
}

/** Returns the name of a link until its title is known, with the extension that its type needs. */
export function getLinkName(url: string, type: string): string {
  const { hostname, pathname } = new URL(url)
  const last = decodeName(pathname.split('/').findLast(Boolean) ?? '')
  if (type.includes('html')) return `${last.replace(/\.\w+$/, '') || hostname}.html`.slice(-255)
  return (last || hostname).slice(-255)
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll('\0', '')
  } catch {
    return text
  }
}
