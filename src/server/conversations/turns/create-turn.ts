import { AppError } from '#server/core/app-error.ts'
import { PROCESS } from '#server/core/capacity.ts'
import type { Holder } from '#server/core/capacity.ts'
import type { Db } from '#server/core/database/database.ts'
import { canUseModel, requireModelAccess } from '#server/llm/llm.ts'
import type { Catalogue, ModelEntry } from '#server/llm/llm.ts'
import { claimIdempotencyKey, completeIdempotencyKey } from '#server/runs/runs.ts'
import type { RunHandle, Runs } from '#server/runs/runs.ts'
import { requireAssistant } from '../assistant.ts'
import type {
  Assistants,
  Lane,
  PromptPreparation,
  QuestionFields,
  TurnContext,
  TurnInput,
} from '../assistant.ts'
import { listNewestMessages, listRunningAnswers } from '../messages/store.ts'
import type { MessageRow } from '../messages/store.ts'
import { parseSettings } from '../sessions/settings.ts'
import { findCurrentSession, findSession, lockOrCreateSession } from '../sessions/store.ts'
import type { SessionRow } from '../sessions/store.ts'
import { resolveTurn } from './resolve-turn.ts'
import { buildRunRequest } from './run-request.ts'
import type { AnsweringModel } from './run-request.ts'
import { saveTurn } from './save-turn.ts'
import type { CreatedTurn } from './save-turn.ts'
import { listTurnMessages, selectAnswers } from './store.ts'

export type TurnDeps = { db: Db; runs: Runs; catalogue: Catalogue; assistants: Assistants }

/** Most messages before a question that are read for its prompt; with answers side by side, a turn has more of them. */
const MAX_HISTORY_MESSAGES = 200
export const MAX_SIDE_BY_SIDE_MESSAGES = 900

/**
 * Stores a question (or finds the one to answer again), holds the most that its answers may cost and starts them: all in one
 * transaction. With lanes there is an answer in each requested one, else one answer. Throws AppError.
 */
export async function createTurn(
  deps: TurnDeps,
  context: TurnContext,
  question: TurnInput,
): Promise<CreatedTurn> {
  const { db } = deps
  const request: QuestionFields = question
  const { visitor, idempotency } = context
  const assistant = requireAssistant(deps.assistants, request.chatbot, visitor)
  const hasQuestion = request.prompt.trim() !== '' || request.content_type === 'audio'
  if (!request.regen && !request.continue && !hasQuestion) throw new AppError('empty_prompt')
  if (request.models && !assistant.getLanes) throw new AppError('bad_request')
  if (request.continue && assistant.getLanes) throw new AppError('not_continuable')
  const assistantTurn = await assistant.prepareTurn(context, question)
  const input = { ...request, ...assistantTurn.session, prompt: assistantTurn.spoken ?? request.prompt }
  const runs: RunHandle[] = []
  const preparations: PromptPreparation[] = []
  const create = async (tx: Db): Promise<CreatedTurn> => {
    const earlierChatId = idempotency && (await claimIdempotencyKey(tx, visitor.user_id, idempotency))
    if (earlierChatId)
      return findEarlierTurn(tx, visitor.user_id, earlierChatId, listRequestedModels(request))
    const session = await lockOrCreateSession(tx, visitor.user_id, input)
    const lanes = await assistant.getLanes?.(tx, session.id, listRequestedModels(input))
    const initial = assistantTurn.getInitialModel(session)
    const requestedModel = assistantTurn.has_own_model ? null : input.model
    const answeringModels = listAnsweringModels(deps, visitor.guest, session, lanes, {
      model: requestedModel,
      initial,
    })
    const running = await listRunningAnswers(tx, session.id)
    const changesOthers = !lanes || input.edit
    if (running.some(({ lane }) => changesOthers || lanes.some(({ model }) => model === lane)))
      throw new AppError('turn_running')
    await assistantTurn.beforeRun?.(tx, answeringModels.length)
    const turn = await resolveTurn(tx, session.id, input, { lanes, running: running.length > 0 })
    const history = await listNewestMessages(tx, session.id, {
      size: lanes ? MAX_SIDE_BY_SIDE_MESSAGES : MAX_HISTORY_MESSAGES,
      before_turn: turn.chat_id,
    })
    const { prefilled = null } = assistantTurn
    const askedTurn = prefilled ? { ...turn, text: prefilled.question ?? '' } : turn
    const pending = { context, input, assistantTurn, turn: askedTurn, history }
    const requests = answeringModels.map((one) => buildRunRequest(deps, { ...pending, ...one }))
    if (prefilled?.question !== null) {
      preparations.push(...requests.flatMap(({ preparation }) => preparation ?? []))
      for (const preparation of preparations) await preparation.reserve?.(tx, listHolders(context))
      const requested = requests.map(({ run }) => run)
      runs.push(
        ...(lanes
          ? await deps.runs.createTogether(tx, requested)
          : [await deps.runs.create(tx, requested[0]!)]),
      )
    }
    if (idempotency) await completeIdempotencyKey(tx, visitor.user_id, idempotency.key, turn.chat_id)
    const { stream = true, related_prompts = input.related_prompts } = assistantTurn
    return saveTurn(tx, session, turn, {
      input: { ...input, stream: input.stream ?? (stream && parseSettings(session).stream), related_prompts },
      answers: answeringModels.map(({ lane, model }, index) => ({
        run_id: runs[index]?.run_id ?? null,
        prefilled,
        model: model.id,
        tools: requests[index]!.tools,
        agent: assistantTurn.agent ?? null,
        lane,
      })),
      parent_id: turn.parent_id ?? findParent(history, lanes)?.id ?? session.id,
    })
  }
  const created = await db.transaction(create).catch((error: unknown) => {
    for (const { release } of preparations) release?.()
    throw error
  })
  for (const run of runs) run.start()
  return created
}

/** Lists the holders whose capacity a question uses. */
const listHolders = ({ visitor, client }: TurnContext): Holder[] => [
  PROCESS,
  { type: 'address', id: client },
  { type: 'account', id: visitor.account_id },
]

/** Lists the models that a question side by side names; null for all of its conversation. */
const listRequestedModels = ({
  models,
  model,
}: Pick<QuestionFields, 'models' | 'model'>): string[] | null => {
  const ids = models ?? (model ? [model] : null)
  return ids && [...new Set(ids)]
}

/** Finds the parent of a new question at the end: the last message, or side by side the last question. */
const findParent = (newestFirst: MessageRow[], lanes: Lane[] | undefined): MessageRow | undefined =>
  lanes ? newestFirst.find(({ role }) => role === 'human') : newestFirst[0]

/** Lists the answering models, one for each lane; a single one without lanes. Throws AppError model_not_found, guest_model. */
export function listAnsweringModels(
  { catalogue }: Pick<TurnDeps, 'catalogue'>,
  guest: boolean,
  session: Pick<SessionRow, 'settings'> | null,
  lanes: Lane[] | undefined,
  { model, initial }: { model: string | null | undefined; initial: string | null },
): AnsweringModel[] {
  const settings = parseSettings(session)
  if (!lanes) return [{ lane: '', model: resolveModel(catalogue, guest, model, initial), settings }]
  return lanes.map((lane) => ({
    lane: lane.model,
    model: resolveModel(catalogue, guest, lane.model, null),
    settings: { ...settings, ...lane.settings },
  }))
}

/** Returns the turn that the first request under an Idempotency-Key created, in its present state. */
async function findEarlierTurn(
  tx: Db,
  userId: string,
  chatId: string,
  models: string[] | null,
): Promise<CreatedTurn> {
  const messages = await listTurnMessages(tx, userId, chatId)
  const all = selectAnswers(messages)
  const laneAnswers = all.filter(({ lane }) => models?.includes(lane))
  const [question, answers] = [messages[0], laneAnswers.length ? laneAnswers : all]
  const session = question && (await findSession(tx, userId, question.sess_id))
  if (!session || !answers.length) throw new AppError('not_found')
  const current = (await findCurrentSession(tx, userId, session.chatbot))?.id === session.id
  return { session: { ...session, current }, question, answers }
}

/** Returns the requested model; else the initial one if it can be used, or the default. */
function resolveModel(
  catalogue: Catalogue,
  guest: boolean,
  requested: string | null | undefined,
  initial: string | null,
): ModelEntry {
  const access = { type: 'chat', guest } as const
  const usable = initial !== null && canUseModel(catalogue, initial, access) ? initial : null
  return requireModelAccess(catalogue, requested ?? usable ?? catalogue.getDefaultModel({ guest }), access)
}
