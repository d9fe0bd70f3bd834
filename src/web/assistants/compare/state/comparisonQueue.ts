import type { QueueSource } from '#web/conversations/composer/composer.tsx'
import { findAnswer, getTurnKey, isAnswering, listTurns, type Comparison } from './comparison.ts'
import { toDraftKey, useComparisons } from './comparisonStore.ts'

/** Comparisons for the queue of questions: one is done when every column has answered the newest turn. */
export const comparisonQueue: QueueSource = {
  find: (conversationKey) => {
    const entry = Object.entries(useComparisons.getState().byId).find(
      ([, { key }]) => key === conversationKey,
    )
    if (!entry) return undefined
    const [id, comparison] = entry
    const newest = listTurns(comparison.columns).at(-1)
    return { draftKey: toDraftKey(id), key: newest && getTurnKey(newest), status: getStatus(comparison) }
  },
  subscribe: (onChange) => useComparisons.subscribe(onChange),
}

function getStatus({ columns, sending, loading }: Comparison): 'busy' | 'done' | 'other' {
  const newest = listTurns(columns).at(-1)
  if (!newest || sending || loading === 'first' || columns.some(isAnswering)) return 'busy'
  const answers = columns.flatMap((column) => findAnswer(column, newest) ?? [])
  return answers.every(({ status }) => status === 'done') ? 'done' : 'other'
}
