import { PrintSheet, PrintedAnswer, PrintedQuestion } from '#web/conversations/thread/thread.tsx'
import { createView } from './state/compareView.ts'
import { findAnswer, getTurnKey } from './state/comparison.ts'
import { readAllTurns } from './state/comparisonStore.ts'

type Props = { id: string; getName: (model: string) => string }

/** A comparison on paper: each question with its answers below each other, under the names shown on the screen. */
export function PrintedComparison({ id, getName }: Props) {
  return (
    <PrintSheet read={() => readAllTurns(id)}>
      {({ comparison }) => {
        const { turns, columns, firstShown } = createView(comparison, 'order', getName)
        const first = turns.findIndex(({ chat_id }) => firstShown !== undefined && chat_id === firstShown)
        return turns.slice(Math.max(0, first)).map((turn) => (
          <section key={getTurnKey(turn)}>
            <PrintedQuestion message={turn} />
            {columns.map(({ column, name }) => {
              const answer = findAnswer(column, turn)
              return (
                answer && (
                  <div key={column.model} className="pt-6">
                    <h2 className="mb-1 border-b pb-1 font-medium">{name}</h2>
                    <PrintedAnswer message={answer} />
                  </div>
                )
              )
            })}
          </section>
        ))
      }}
    </PrintSheet>
  )
}
