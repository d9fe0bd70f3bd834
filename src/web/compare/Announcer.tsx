import { compareText } from '#web/text/compare/compare.ts'
import type { CompareView } from './state/compareView.ts'

/** Tells screen readers the progress of all columns together, so that the columns do not talk at once. */
export function Announcer({ view: { columns } }: { view: CompareView }) {
  const answers = columns.flatMap(({ answer }) => answer ?? [])
  const done = answers.filter(({ status }) => status !== 'typing').length
  const text = !answers.length
    ? ''
    : done === answers.length
      ? compareText.progressAll(done)
      : done === 0
        ? compareText.asked(answers.length)
        : compareText.progress(done, answers.length)
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  )
}
