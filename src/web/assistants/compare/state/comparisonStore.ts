import { create } from 'zustand'
import { ApiError, request, requestNow } from '#web/core/api.ts'
import {
  emptyComparison,
  mergeNewestTurns,
  prependOlderTurns,
  type Comparison,
  type MessagesPage,
} from './comparison.ts'

type State = {
  byId: Readonly<Record<string, Comparison>>
  /** Session by the id of the draft that became it. */
  sessionByLocalId: Readonly<Record<string, string>>
}

/** Comparisons outside the page, so that their answers go on while the person looks at something else. */
export const useComparisons = create<State>()(() => ({ byId: {}, sessionByLocalId: {} }))

let lastLocalId = 0
/** A new id for a comparison without a session, different from those of conversations. */
export const createLocalComparisonId = (): string => `draft-compare-${++lastLocalId}`

/** Tells whether a comparison has no session yet. */
export const isLocalComparison = (id: string): boolean => id.startsWith('draft-')

/** Storage key of a comparison's draft; one without a session is a new one again after a reload. */
export const toDraftKey = (id: string): string => (isLocalComparison(id) ? 'compare' : id)

export const getComparison = (id: string): Comparison | undefined => useComparisons.getState().byId[id]

/** The name of a session's comparison in API calls. */
export const toChatbot = (sessId: string): string => `compare-${sessId}`

/** Changes a comparison; an unknown one begins empty. */
export function updateComparison(
  id: string,
  patch: Partial<Comparison> | ((current: Comparison) => Partial<Comparison>),
): void {
  useComparisons.setState(({ byId }) => {
    const current = byId[id] ?? { ...emptyComparison, key: id }
    return {
      byId: { ...byId, [id]: { ...current, ...(typeof patch === 'function' ? patch(current) : patch) } },
    }
  })
}

/** Moves a draft's state to the session that it has been given. */
export function attachComparison(localId: string, sessId: string): void {
  useComparisons.setState(({ byId, sessionByLocalId }) => {
    const { [localId]: local, ...others } = byId
    return {
      byId: local ? { ...others, [sessId]: local } : others,
      sessionByLocalId: { ...sessionByLocalId, [localId]: sessId },
    }
  })
}

/** Reads the newest turns, for the first time or to keep in step with other tabs and devices. */
export async function reloadComparison(sessId: string): Promise<void> {
  const before = getComparison(sessId)
  if (before?.sending || before?.loading) return updateComparison(sessId, { isStale: true })
  updateComparison(sessId, { loading: before?.session ? null : 'first', loadError: null, isStale: false })
  const previous = getComparison(sessId)?.columns
  await load(sessId, {}, (current, page) =>
    current.columns === previous ? mergeNewestTurns(current, page) : { isStale: true },
  )
  const current = getComparison(sessId)
  if (current?.isStale && !current.sending) await reloadComparison(sessId)
}

/** Reads the turns before the oldest one. After a failure the next scroll tries again. */
export async function loadOlderTurns(sessId: string): Promise<void> {
  const current = getComparison(sessId)
  const oldest = current && findOldest(current)
  if (!current?.has_more || current.loading || !oldest) return
  updateComparison(sessId, { loading: 'older' })
  await load(sessId, { before: oldest.chat_id }, prependOlderTurns)
}

const findOldest = ({ columns }: Comparison) =>
  columns
    .flatMap(({ messages }) => messages.filter(({ local }) => !local))
    .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))[0]

/** Reads all turns, synchronously and without changing the page; `isWhole` is false when some could not be read. */
export function readAllTurns(id: string): { comparison: Comparison; isWhole: boolean } {
  let comparison = getComparison(id) ?? { ...emptyComparison, key: id }
  try {
    for (
      let oldest = findOldest(comparison);
      comparison.has_more && oldest;
      oldest = findOldest(comparison)
    ) {
      const query = { chatbot: toChatbot(id), before: oldest.chat_id }
      comparison = {
        ...comparison,
        ...prependOlderTurns(comparison, requestNow('GET /api/compare/messages', { query })),
      }
    }
    return { comparison, isWhole: true }
  } catch {
    return { comparison, isWhole: false }
  }
}

async function load(
  sessId: string,
  query: { before?: string },
  apply: (current: Comparison, page: MessagesPage) => Partial<Comparison>,
): Promise<void> {
  try {
    const page = await request('GET /api/compare/messages', {
      query: { chatbot: toChatbot(sessId), ...query },
    })
    updateComparison(sessId, (current) => ({ loading: null, ...apply(current, page) }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isGone = error.status === 404
    // A short network failure must not remove shown messages.
    updateComparison(sessId, (current) => ({
      loading: null,
      loadError: current.session && !isGone ? null : { message: error.message, isGone },
    }))
  }
}
