import { createId } from '#server/core/ids.ts'
import type { RunEstimate } from '#server/runs/runs.ts'
import { requireAssistant } from '../assistant.ts'
import type { Lane, TurnContext, TurnInput } from '../assistant.ts'
import { listNewestMessages } from '../messages/store.ts'
import type { SessionRow } from '../sessions/store.ts'
import { listAnsweringModels, MAX_SIDE_BY_SIDE_MESSAGES } from './create-turn.ts'
import type { TurnDeps } from './create-turn.ts'
import { buildRunRequest } from './run-request.ts'

export type EstimateInput = {
  input: TurnInput
  /** The conversation in which it would be asked; null for a new one. */
  session: SessionRow | null
  /** The models to answer, and the expected lengths of their answers. */
  lanes: (Lane & { output_tokens: number })[]
}

/** Estimates the cost of a question side by side, with the same prompts and plans as in `createTurn`. */
export async function estimateTurn(
  deps: TurnDeps,
  context: TurnContext,
  { input, session, lanes }: EstimateInput,
): Promise<RunEstimate[]> {
  const { visitor } = context
  const assistantTurn = await requireAssistant(deps.assistants, input.chatbot).prepareTurn(context, input)
  const size = MAX_SIDE_BY_SIDE_MESSAGES
  const history = session ? await listNewestMessages(deps.db, session.id, { size }) : []
  const turn = { chat_id: createId(), text: input.prompt }
  const answeringModels = listAnsweringModels(deps, visitor.guest, session, lanes, {
    model: null,
    initial: null,
  })
  return answeringModels.map((answeringModel, index) => {
    const { run } = buildRunRequest(deps, { context, input, assistantTurn, turn, history, ...answeringModel })
    return deps.runs.estimate(run, lanes[index]!.output_tokens)
  })
}
