import { ChevronRight, CircleStop } from 'lucide-react'
import { useState } from 'react'
import type { AgentEvaluation } from '#contract/agents/evaluation.ts'
import { formatDateTime } from '#web/core/format.ts'
import { formatFineAmount, formatPercent } from '#web/core/numberFormat.ts'
import { agentFormText } from '#web/text/agents/form.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { type Column, Table } from '#web/ui/Table.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { PassageDialog } from '../PassageDialog.tsx'
import type { PassageRef } from '../passageLink.ts'
import { agentCalls, invalidateEvaluations, useAgent, useEvaluations } from '../queries.ts'
import { TriedAnswers } from './TriedAnswers.tsx'

const text = agentFormText.evaluation

/** The self-test of an agent as last saved: its scores beside those of earlier versions, and the passages that it missed. */
export function EvaluationPanel({ agent }: { agent: string }) {
  const query = useEvaluations(agent)
  const savedAgent = useAgent(agent).data
  return (
    <QueryView query={query} failed={text.failed} skeleton={<Skeleton className="h-10 w-28" />} compact>
      {(items) => {
        const runningEvaluation = items.find(({ status }) => status === 1)
        const finishedEvaluations = items.filter(({ status }) => status !== 1)
        const [latest] = finishedEvaluations
        const testedEvaluation = finishedEvaluations.find(({ done }) => done > 0)
        return (
          <div className="flex flex-col gap-4">
            {runningEvaluation ? (
              <RunningEvaluation agent={agent} evaluation={runningEvaluation} />
            ) : (
              <StartButton agent={agent} label={latest ? text.again : text.start} />
            )}
            {latest && (
              <Scores
                evaluations={finishedEvaluations}
                version={savedAgent && 'version' in savedAgent ? savedAgent.version : null}
              />
            )}
            {testedEvaluation && <MissedQuestions agent={agent} evaluation={testedEvaluation} />}
            {testedEvaluation && testedEvaluation.answers.length > 0 && (
              <TriedAnswers agent={agent} evaluation={testedEvaluation} />
            )}
          </div>
        )
      }}
    </QueryView>
  )
}

/** Makes a call about the self-test of an agent, then reloads its state. */
function useEvaluationCall(agent: string, call: (agent: string) => Promise<unknown>) {
  const [pending, setPending] = useState(false)
  const run = async () => {
    setPending(true)
    await withToast(() => call(agent))
    await invalidateEvaluations(agent)
    setPending(false)
  }
  return { pending, onClick: () => void run() }
}

function StartButton({ agent, label }: { agent: string; label: string }) {
  const start = useEvaluationCall(agent, agentCalls.startEvaluation)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button {...start}>{label}</Button>
      <p className="text-note text-ink3">{text.cost}</p>
    </div>
  )
}

type EvaluationProps = { agent: string; evaluation: AgentEvaluation }

function RunningEvaluation({ agent, evaluation: { done, total } }: EvaluationProps) {
  const cancel = useEvaluationCall(agent, agentCalls.cancelEvaluation)
  const label = text.progress(done, total)
  return (
    <div className="flex items-center gap-4 rounded-xl border px-3.5 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="animate-shimmer text-note text-ink2 tabular-nums">{label}</p>
        <div className="mt-1.5 h-1 overflow-hidden rounded-full bg-fill2">
          <div
            role="progressbar"
            aria-label={label}
            aria-valuenow={Math.round((done / total) * 100)}
            className="h-full rounded-full bg-accent transition-[width]"
            style={{ width: `${(done / total) * 100}%` }}
          />
        </div>
      </div>
      <Button variant="ghost" size="sm" {...cancel}>
        <CircleStop size={16} aria-hidden />
        {text.cancel}
      </Button>
    </div>
  )
}

type ScoresProps = {
  evaluations: AgentEvaluation[]
  /** The saved version; null while it is unknown. */
  version: number | null
}

function Scores({ evaluations, version }: ScoresProps) {
  const columns: Column<AgentEvaluation>[] = [
    {
      key: 'version',
      title: text.version,
      className: 'min-w-28 md:min-w-40',
      cell: (one) => (
        <>
          <span className="mr-2 font-medium whitespace-nowrap">{text.versionName(one.version)}</span>
          {one.version === version && <Badge tone="accent">{text.current}</Badge>}
          <span className="block text-ink3">{formatDateTime(one.created_at)}</span>
          <span className="block text-ink3">{text.coins(formatFineAmount(one.cost))}</span>
          {one.error && <span className="block text-danger">{one.error}</span>}
        </>
      ),
    },
    { key: 'hit_1', title: text.hit_1, align: 'right', cell: ({ hit_1 }) => formatPercent(hit_1) },
    { key: 'hit_5', title: text.hit_5, align: 'right', cell: ({ hit_5 }) => formatPercent(hit_5) },
    {
      key: 'groundedness',
      title: text.groundedness,
      align: 'right',
      className: 'whitespace-nowrap',
      cell: ({ groundedness, answered, asked }) => (
        <>
          {formatPercent(groundedness)}
          {asked > 0 && <span className="block text-ink3">{text.answered(answered, asked)}</span>}
        </>
      ),
    },
    {
      key: 'questions',
      title: text.questions,
      align: 'right',
      className: 'whitespace-nowrap',
      cell: ({ done, total }) => (done === total ? total : `${done} / ${total}`),
    },
  ]
  return <Table label={text.results} columns={columns} rows={evaluations} rowKey={({ id }) => id} />
}

/** Missed questions, each with its passage, which opens in a dialog. */
function MissedQuestions({ agent, evaluation: { version, missed, status } }: EvaluationProps) {
  const [passage, setPassage] = useState<PassageRef | null>(null)
  const title = text.missed(version, missed.length)
  if (!missed.length) return status === 2 && <p className="text-note text-ink3">{text.noneMissed(version)}</p>
  return (
    <div>
      <h3 className="font-medium">{title}</h3>
      <p className="mt-0.5 text-note text-ink3">{text.missedHint}</p>
      <ul aria-label={title} className="mt-2.5 divide-y rounded-xl border">
        {missed.map(({ question, block, chunk, name }) => (
          <li key={`${block} ${chunk}`}>
            <button
              type="button"
              onClick={() => setPassage({ agent, block, chunk })}
              className="flex w-full items-center gap-3 px-3.5 py-2.5 text-left transition-colors hover:bg-fill/60"
            >
              <span className="min-w-0 flex-1">
                <span className="block wrap-anywhere">{question}</span>
                <span className="block truncate text-note text-ink3">{name}</span>
              </span>
              <ChevronRight size={16} aria-hidden className="shrink-0 text-ink3" />
            </button>
          </li>
        ))}
      </ul>
      <PassageDialog passage={passage} onClose={() => setPassage(null)} />
    </div>
  )
}
