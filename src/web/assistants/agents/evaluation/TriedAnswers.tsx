import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { AgentEvaluation } from '#contract/agents/evaluation.ts'
import { agentFormText } from '#web/text/agents/form.ts'
import { PassageDialog } from '../PassageDialog.tsx'
import type { PassageRef } from '../passageLink.ts'

const text = agentFormText.evaluation

type Props = { agent: string; evaluation: AgentEvaluation }

/** Answers of an agent's self-test, with the sentences that no source supports and the passages given, which open in a dialog. */
export function TriedAnswers({ agent, evaluation: { version, answers } }: Props) {
  const [passage, setPassage] = useState<PassageRef | null>(null)
  const title = text.answers(version, answers.length)
  return (
    <div>
      <h3 className="font-medium">{title}</h3>
      <p className="mt-0.5 text-note text-ink3">{text.answersHint}</p>
      <ul aria-label={title} className="mt-2.5 divide-y rounded-xl border">
        {answers.map((answer) => (
          <li key={answer.question}>
            <TriedAnswer answer={answer} onOpen={(passageRef) => setPassage({ agent, ...passageRef })} />
          </li>
        ))}
      </ul>
      <PassageDialog passage={passage} onClose={() => setPassage(null)} />
    </div>
  )
}

type AnswerProps = {
  answer: AgentEvaluation['answers'][number]
  onOpen: (passage: Omit<PassageRef, 'agent'>) => void
}

function TriedAnswer({ answer: { question, sentences, unsupported, passages }, onOpen }: AnswerProps) {
  const outcome = unsupported.length
    ? text.unsupported(unsupported.length)
    : sentences
      ? text.allSupported
      : text.notAnswered
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 px-3.5 py-2.5 transition-colors hover:bg-fill/60">
        <span className="min-w-0 flex-1 wrap-anywhere">{question}</span>
        <span
          className={clsx(
            'shrink-0 text-note tabular-nums',
            unsupported.length ? 'text-warning' : 'text-ink3',
          )}
        >
          {outcome}
        </span>
        <ChevronRight
          size={16}
          aria-hidden
          className="shrink-0 text-ink3 transition-transform group-open:rotate-90"
        />
      </summary>
      <div className="flex flex-col gap-2.5 px-3.5 pb-3 text-note">
        {unsupported.length > 0 && (
          <div>
            <p className="text-ink3">{text.unsupportedList}</p>
            <ul aria-label={text.unsupportedList} className="mt-1 flex flex-col gap-1">
              {unsupported.map((sentence) => (
                <li key={sentence} className="border-l-2 border-line2 pl-2.5 wrap-anywhere">
                  {sentence}
                </li>
              ))}
            </ul>
          </div>
        )}
        <div>
          <p className="text-ink3">{passages.length ? text.passages : text.noPassages}</p>
          {passages.length > 0 && (
            <ul aria-label={text.passages} className="mt-1 flex flex-col">
              {passages.map(({ n, title, block, chunk, hash }) => (
                <li key={n}>
                  <button
                    type="button"
                    onClick={() => onOpen({ block, chunk, ...(hash ? { hash } : {}) })}
                    className="-mx-1.5 flex min-h-8 w-[calc(100%+0.75rem)] items-center gap-2 rounded-lg px-1.5 text-left transition-colors hover:bg-fill max-md:min-h-11"
                  >
                    <span className="shrink-0 text-ink3 tabular-nums">[{n}]</span>
                    <span className="min-w-0 truncate">{title}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </details>
  )
}
