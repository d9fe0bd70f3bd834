import { compareText } from '#web/text/compare/compare.ts'
import type { CompareView } from './state/compareView.ts'

/** Tells screen readers the progress of all columns together, so that the columns do not talk at once. */
export function Announcer({ view: { columns } }: { view: CompareView }) {
  const answers = columns.flatMap(({ answer }) => answer ?? [])
  const doneCount = answers.filter(({ status }) => status !== 'typing').length
  const text = !answers.length
    ? ''
    : doneCount === answers.length
      ? compareText.progressAll(doneCount)
      : doneCount === 0
        ? compareText.asked(answers.length)
        : compareText.progress(doneCount, answers.length)
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  )
}
