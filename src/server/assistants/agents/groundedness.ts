import { createId } from '#server/core/ids.ts'
import type { SearchSource } from '#contract/web-search.ts'
import { countClaims } from '#server/documents/knowledge/knowledge.ts'
import { DEFAULT_PREFERENCE } from '#server/llm/llm.ts'
import type { ChatRunRequest } from '#server/runs/runs.ts'
import { listAgentPassages } from './answering.ts'
import type { Answering, UsableAgent } from './answering.ts'
import type { EvaluationResult } from './store.ts'
import { executeRun, findModel } from './writing.ts'
import type { Owner, WritingDeps } from './writing.ts'

const MAX_ANSWER_TOKENS = 1_000

type TrialDeps = WritingDeps & { answering: Answering }
type Trial = { owner: Owner; question: string; signal: AbortSignal }
type TriedAnswer = NonNullable<EvaluationResult['answer']>

/**
 * Has an agent answer a question as it would answer its owner, at the owner's cost, and counts which sentences of the answer the
 * sources support. The web is left out: its texts are not compared with the sources. An answer that fails has no sentences;
 * without a model it is null. Throws AppError as Runs.create, and the signal's reason.
 */
export async function tryAnswer(
  { answering, catalogue, ...deps }: TrialDeps,
  agent: UsableAgent,
  { owner: asker, question, signal }: Trial,
): Promise<{ answer: TriedAnswer | null; charged: bigint }> {
  const model = findModel(catalogue, agent.model)
  if (!model) return { answer: null, charged: 0n }
  const plan = answering.plan({ ...agent, interneted: false }, { asker, question, model })
  const { preparation } = plan
  let sources: SearchSource[] = []
  const request: ChatRunRequest = {
    ...asker,
    kind: 'agent_prompts',
    subject_id: createId(),
    model: model.id,
    prompt: {
      messages: [
        { role: 'system', content: plan.system },
        { role: 'user', content: question },
      ],
      max_tokens: MAX_ANSWER_TOKENS,
      reasoning_effort: 'none',
    },
    prepare: {
      reserved_tokens: preparation.reserved_tokens,
      buildMessages: (run) =>
        preparation.buildMessages(run.messages, {
          signal: run.signal,
          publishNote: () => {},
          saveNote: async ({ search }) => {
            sources = search?.sources ?? []
          },
        }),
    },
    createGuard: plan.createGuard,
    preference: DEFAULT_PREFERENCE,
    free: false,
  }
  const { result, charged } = await executeRun(deps, request, signal)
  const passages = sources.flatMap((source) =>
    listAgentPassages([source]).map((passage) => ({ n: source.n, title: source.title, ...passage })),
  )
  const text = result.state === 'done' ? result.text : ''
  const sentences = countClaims(text)
  const unsupported = preparation.finish?.(text)?.search?.review?.unsupported ?? []
  const supported = sentences - unsupported.length
  return { answer: { sentences, supported, unsupported, passages }, charged }
}

/** Returns the share of the answers' sentences that sources support, and how many answers were requested and have sentences. */
export function summarizeAnswers(answers: TriedAnswer[]) {
  const sentences = answers.reduce((sum, answer) => sum + answer.sentences, 0)
  const supported = answers.reduce((sum, answer) => sum + answer.supported, 0)
  return {
    groundedness: sentences ? supported / sentences : null,
    asked: answers.length,
    answered: answers.filter((answer) => answer.sentences > 0).length,
  }
}
