import type { AgentEvaluation } from '#contract/agents/evaluation.ts'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { toExactCoins } from '#server/core/coins.ts'
import type { Task } from '#server/tasks/tasks.ts'
import { summarizeAnswers } from './groundedness.ts'
import type { EvaluationRow } from './store.ts'

/** A question counts as hit where its passage is among the first so many. */
const HITS = 5

/** Presents a self-test to its agent's owner. */
export function presentEvaluation(
  { id, version, samples, results, ended_at, code, created_at }: EvaluationRow,
  task: Task | undefined,
  getName: (block: string) => string,
): Omit<AgentEvaluation, 'answers'> {
  const share = (limit: number): number | null =>
    results.length
      ? results.filter(({ rank }) => rank !== null && rank <= limit).length / results.length
      : null
  const reason = code !== null && Object.hasOwn(errors, code) ? (code as ErrorCode) : 'internal'
  return {
    id,
    version,
    status: !ended_at ? 1 : code === null ? 2 : 3,
    error: code === null ? null : errors[reason].message,
    done: results.length,
    total: samples.length,
    hit_1: share(1),
    hit_5: share(HITS),
    ...summarizeAnswers(results.flatMap(({ answer }) => answer ?? [])),
    missed: results
      .filter(({ rank }) => rank === null || rank > HITS)
      .map(({ question, document_id, chunk }) => ({
        question,
        block: document_id,
        chunk,
        name: getName(document_id),
      })),
    cost: toExactCoins(task?.cost ?? 0n),
    created_at: created_at.toISOString(),
  }
}

/** Presents the agent's answers in a self-test, as far as they have ended. */
export const presentAnswers = ({ results }: EvaluationRow): AgentEvaluation['answers'] =>
  results.flatMap(({ question, answer }) => {
    if (!answer) return []
    const { sentences, unsupported = [], passages = [] } = answer
    const answerPassages = passages.map(({ document_id, ...passage }) => ({ ...passage, block: document_id }))
    return { question, sentences, unsupported, passages: answerPassages }
  })
