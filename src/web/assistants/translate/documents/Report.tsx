import { CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TranslationResult } from '#contract/translate/translation.ts'
import { documentsText as text } from '#web/text/translate/documents.ts'
import { describeTextPlace } from './describeTextPlace.ts'
import { toReadable } from './readableText.ts'

type Props = {
  translation: TranslationResult
  isPdf: boolean
  /** Shows a segment in the preview. */
  onGoTo: (n: number) => void
}

/** Reports on a translated document before it is saved: segments translated, those to check, and those kept. */
export function Report({ translation, isPdf, onGoTo }: Props) {
  const { segments, translated, from_memory, failed, problems, kept, file_problems } = translation
  return (
    <section aria-label={text.report} className="mb-5 rounded-2xl border bg-raised p-4 md:p-5">
      <h3 className="mb-2 font-medium">{text.report}</h3>
      <ul className="flex flex-col gap-1.5">
        <Line icon={<CircleCheck size={16} className="text-success" />}>
          {text.reportDone(translated, segments)}
          {from_memory > 0 && <span className="text-ink3"> · {text.reportMemory(from_memory)}</span>}
        </Line>
        {failed > 0 && (
          <Line icon={<TriangleAlert size={16} className="text-warning" />}>
            <Details title={text.reportFailed(failed)}>
              {problems.map(({ n, text: source, place, message }) => (
                <li key={n}>
                  <button
                    type="button"
                    onClick={() => onGoTo(n)}
                    className="w-full rounded-lg px-2 py-1.5 text-left transition-colors hover:bg-fill max-md:min-h-11"
                  >
                    <span className="block truncate text-note" dir="auto">
                      {toReadable(source)}
                    </span>
                    <span className="block text-xs text-ink3">
                      {[describeTextPlace(place), message].filter(Boolean).join(' · ')}
                    </span>
                  </button>
                </li>
              ))}
              {failed > problems.length && (
                <li className="px-2 py-1 text-xs text-ink3">{text.moreProblems(failed - problems.length)}</li>
              )}
            </Details>
          </Line>
        )}
        {file_problems.length > 0 && (
          <Line icon={<TriangleAlert size={16} className="text-warning" />}>
            <Details title={text.reportFile(file_problems.length)}>
              {file_problems.map(({ n, message }) => (
                <li key={n}>
                  <button
                    type="button"
                    onClick={() => onGoTo(n)}
                    className="w-full rounded-lg px-2 py-1.5 text-left text-note transition-colors hover:bg-fill max-md:min-h-11"
                  >
                    {text.reportText(n)}
                    <span className="ml-2 text-xs text-ink3">{message}</span>
                  </button>
                </li>
              ))}
            </Details>
          </Line>
        )}
        <Line icon={<Info size={16} className="text-ink3" />}>
          {kept.length === 0 ? (
            text.reportAllKept
          ) : (
            <Details title={text.reportKept(kept.reduce((sum, { count }) => sum + count, 0))}>
              {kept.map(({ what, reason, message, count, place }, index) => (
                <li key={`${reason}-${index}`} className="px-2 py-1 text-note">
                  {message}
                  <span className="ml-2 text-xs text-ink3 tabular-nums">
                    {[place && describeTextPlace(place), what, count > 1 && text.times(count)]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </li>
              ))}
            </Details>
          )}
        </Line>
        {isPdf && <Line icon={<Info size={16} className="text-ink3" />}>{text.pdfHint}</Line>}
      </ul>
    </section>
  )
}

const Line = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <li className="flex gap-2.5">
    <span aria-hidden className="mt-0.5 shrink-0">
      {icon}
    </span>
    <div className="min-w-0 flex-1 tabular-nums">{children}</div>
  </li>
)

const Details = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className="group">
    <summary className="cursor-pointer select-none max-md:-my-2.5 max-md:py-2.5">{title}</summary>
    <ul className="mt-1 -ml-2 flex max-h-72 flex-col overflow-y-auto">{children}</ul>
  </details>
)
