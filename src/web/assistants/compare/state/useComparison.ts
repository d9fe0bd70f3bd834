import { useEffect, useState } from 'react'
import { subscribeToRefresh } from '#web/conversations/conversations.ts'
import type { Comparison } from './comparison.ts'
import {
  createLocalComparisonId,
  isLocalComparison,
  reloadComparison,
  useComparisons,
} from './comparisonStore.ts'
import { followTurns } from './follow.ts'

/**
 * The comparison of the session in the page's address, or a draft. While it is shown, it is kept in step with other tabs and
 * devices, and answers being written anywhere are followed here.
 */
export function useComparison(sessId: string | null): { id: string; comparison: Comparison | undefined } {
  const [draft, setDraft] = useState(() => ({ sess_id: sessId, localId: createLocalComparisonId() }))
  // The previous draft may be a session by then, so a new comparison begins with a draft of its own.
  if (draft.sess_id !== sessId)
    setDraft({ sess_id: sessId, localId: sessId ? draft.localId : createLocalComparisonId() })
  const { localId } = draft
  const id = useComparisons((state) => sessId ?? state.sessionByLocalId[localId] ?? localId)
  const comparison = useComparisons((state) => state.byId[id])
  useEffect(() => {
    if (isLocalComparison(id)) return
    const refresh = async () => {
      await reloadComparison(id)
      followTurns(id)
    }
    void refresh()
    return subscribeToRefresh(id, refresh)
  }, [id])
  return { id, comparison }
}
