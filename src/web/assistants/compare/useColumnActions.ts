import { router } from '@inertiajs/react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { answerAgain, askAgain, continueWith, removeRefused } from './state/askColumns.ts'
import { stopColumns } from './state/follow.ts'
import type { ColumnActions } from './columns/columnActions.ts'
import { addModel, removeModel } from './state/columnModels.ts'
import { loadOlderTurns } from './state/comparisonStore.ts'

type Options = Pick<ColumnActions, 'askThis' | 'openSettings'> & { onSession: (sessId: string) => void }

/** Actions on the columns of a comparison. The functions stay the same, so that columns need not render again. */
export function useColumnActions(id: string, options: Options): ColumnActions {
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })
  return useMemo(
    () => ({
      redo: (model, turn) => void answerAgain(id, model, turn),
      stop: (model) => void stopColumns(id, [model]),
      swap: (model, other) => void addModel(id, other, model),
      remove: (model) => void removeModel(id, model),
      openSettings: (model) => latest.current.openSettings(model),
      askThis: (model) => latest.current.askThis(model),
      continueWith: (answer) =>
        void continueWith(id, answer).then((sessId) => {
          if (sessId) router.visit(`/chat?sess_id=${sessId}`)
        }),
      resend: (turn) => void askAgain(id, turn, (sessId) => latest.current.onSession(sessId)),
      discard: (turn) => removeRefused(id, turn),
      loadOlder: () => void loadOlderTurns(id),
    }),
    [id],
  )
}
