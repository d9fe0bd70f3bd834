import { MAX_BLOCKS_PER_QUESTION } from '#contract/chat.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { THINKING } from '#contract/chat-tools.ts'
import { applyThinking, canUseModel, getModelThinking, requireModelAccess } from '#server/llm/llm.ts'
import type { Catalogue, ModelEntry } from '#server/llm/llm.ts'
import { claimIdempotencyKey, completeIdempotencyKey } from '#server/runs/runs.ts'
import type { PromptPreparation as RunPreparation, RunHandle, Runs } from '#server/runs/runs.ts'
import { requireAssistant } from '../assistant.ts'
import type { Assistants, AssistantTurn, PromptPlan, TurnContext, TurnInput } from '../assistant.ts'
import { listNewestMessages, listRunningRuns } from '../messages/store.ts'
import type { MessageRow } from '../messages/store.ts'
import { buildPrompt } from '../prompt.ts'
import { parseSettings } from '../sessions/settings.ts'
import {
  findCurrentSession,
  findSession,
  insertCurrentSession,
  lockSession,
  lockSessionOfTurn,
} from '../sessions/store.ts'
import type { SessionRow } from '../sessions/store.ts'
import { resolveTurn } from './resolve-turn.ts'
import type { PendingTurn } from './resolve-turn.ts'
import { saveTurn } from './save-turn.ts'
import type { AnswerToSave, CreatedTurn } from './save-turn.ts'
import { listTurnMessages, saveAnswerNote, selectAnswers } from './store.ts'

export type TurnDeps = { db: Db; runs: Runs; catalogue: Catalogue; assistants: Assistants }

/** How many messages before the question are looked at for its prompt. */
const MAX_HISTORY_MESSAGES = 200

/**
 * Saves a question (or finds the one to answer again), holds what its answers may cost and starts them: all in one
 * transaction. With `models` there is an answer by each, side by side, else one by the model of `input`. Throws AppError.
 */
export async function createTurn(
  deps: TurnDeps,
  context: TurnContext,
  request: TurnInput,
  models: string[] = [],
): Promise<CreatedTurn> {
  const { db, catalogue } = deps
  const { visitor, idempotency } = context
  const assistant = requireAssistant(deps.assistants, request.chatbot)
  const hasQuestion = request.prompt.trim() !== '' || request.content_type === 'audio'
  if (!request.regen && !request.continue && !hasQuestion) throw new AppError('empty_prompt')
  if (request.continue && models.length) throw new AppError('bad_request')
  const assistantTurn = await assistant.prepareTurn(context, request)
  const input = { ...request, prompt: assistantTurn.spoken ?? request.prompt }
  const runs: RunHandle[] = []
  const created = await db.transaction(async (tx) => {
    const earlier_chat_id = idempotency && (await claimIdempotencyKey(tx, visitor.user_id, idempotency))
    if (earlier_chat_id) return findEarlierTurn(tx, visitor.user_id, earlier_chat_id)
    const session = await lockOrCreateSession(tx, visitor.user_id, input)
    const initial = assistantTurn.getInitialModel(session)
    const requested = models.length ? [...new Set(models)] : [input.model]
    const selected = requested.map((id) => resolveModel(catalogue, visitor.guest, id, initial))
    if ((await listRunningRuns(tx, session.id)).length) throw new AppError('turn_running')
    await assistantTurn.beforeRun?.(tx)
    const turn = await resolveTurn(tx, session.id, input)
    const history = await listNewestMessages(tx, session.id, {
      size: MAX_HISTORY_MESSAGES,
      before_turn: turn.chat_id,
    })
    const answers: AnswerToSave[] = []
    for (const model of selected) {
      const pending = { context, input, assistantTurn, session, turn, history, model }
      const { run, tools } = await createRun(tx, deps, pending)
      runs.push(run)
      answers.push({ run_id: run.run_id, model: model.id, tools, lane: models.length ? model.id : '' })
    }
    if (idempotency) await completeIdempotencyKey(tx, visitor.user_id, idempotency.key, turn.chat_id)
    const { stream = true, related_prompts = input.related_prompts } = assistantTurn
    return saveTurn(tx, session, turn, {
      input: { ...input, stream: input.stream ?? (stream && parseSettings(session).stream), related_prompts },
      answers,
      parent_id: turn.parent_id ?? history[0]?.id ?? session.id,
    })
  })
  for (const run of runs) run.start()
  return created
}

/** What the first request under an Idempotency-Key created, in its present state. */
async function findEarlierTurn(tx: Db, user_id: string, chat_id: string): Promise<CreatedTurn> {
  const messages = await listTurnMessages(tx, user_id, chat_id)
  const [question, answers] = [messages[0], selectAnswers(messages)]
  const session = question && (await findSession(tx, user_id, question.sess_id))
  if (!session || !answers.length) throw new AppError('not_found')
  const current = (await findCurrentSession(tx, user_id, session.chatbot))?.id === session.id
  return { session: { ...session, current }, question, answers }
}

/** The session to ask in, locked: the named one, else that of the named turn, else the current one, else a new one. */
async function lockOrCreateSession(
  tx: Db,
  user_id: string,
  { sess_id, chat_id, chatbot }: TurnInput,
): Promise<SessionRow> {
  const session = sess_id
    ? await lockSession(tx, user_id, sess_id)
    : chat_id
      ? await lockSessionOfTurn(tx, user_id, chat_id)
      : await lockCurrentSession(tx, user_id, chatbot)
  if (session) return session
  if (sess_id || chat_id) throw new AppError('not_found')
  return insertCurrentSession(tx, user_id, chatbot)
}

async function lockCurrentSession(tx: Db, user_id: string, chatbot: string): Promise<SessionRow | undefined> {
  const id = (await findCurrentSession(tx, user_id, chatbot))?.id
  return id === undefined ? undefined : lockSession(tx, user_id, id)
}

/** The model that was asked for; else the initial one where it can be used, or the default. */
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

type PendingRun = {
  context: TurnContext
  input: TurnInput
  assistantTurn: AssistantTurn
  session: SessionRow
  turn: PendingTurn
  history: MessageRow[]
  model: ModelEntry
}

async function createRun(
  tx: Db,
  { db, runs, catalogue }: TurnDeps,
  { context, input, assistantTurn, session, turn, history, model }: PendingRun,
): Promise<{ run: RunHandle; tools: string[] }> {
  const { user_id, account_id, guest } = context.visitor
  const settings = parseSettings(session)
  // What goes on was prepared before.
  const tools = input.continue ? [] : (input.tools ?? turn.question?.tools ?? [])
  const questions = history.filter(({ role }) => role === 'human')
  const blocks = findBlockIds([turn.question ?? input, ...questions])
  const question = turn.text
  const partial = turn.answer ?? null
  const plan = assistantTurn.preparePrompt({
    question,
    partial,
    history,
    tools,
    blocks,
    settings,
    model,
  })
  const messages = buildPrompt({
    question,
    partial_answer: partial?.text ?? '',
    history,
    model,
    system: plan.system,
    reserved_tokens: plan.preparation?.reserved_tokens ?? 0,
  })
  const run = await runs.create(tx, {
    user_id,
    account_id,
    kind: 'chat',
    subject_id: turn.chat_id,
    model: model.id,
    prompt: applyThinking(
      {
        messages,
        max_tokens: Math.min(settings.max_tokens, model.max_tokens),
        ...(settings.temperature === null ? {} : { temperature: settings.temperature }),
      },
      getThinking(catalogue, model, input.continue ? null : (input.tools ?? turn.question?.tools ?? null)),
    ),
    prepare: toRunPreparation(db, plan),
    createGuard: plan.createGuard,
    preference: assistantTurn.preference,
    free: guest,
  })
  return { run, tools: plan.tools }
}

/** Whether the model is to think: as it does by itself where it cannot be switched, or nobody said. */
function getThinking(
  catalogue: Catalogue,
  model: ModelEntry,
  tools: string[] | null,
): 'on' | 'off' | undefined {
  if (!tools || getModelThinking(model, catalogue.listOffers(model.id)) !== 'switch') return undefined
  return tools.includes(THINKING) ? 'on' : 'off'
}

/** The blocks of the first of these questions that is about some. Of a spoken one the first block is its recording. */
function findBlockIds(questions: Pick<TurnInput, 'block' | 'content_type'>[]): string[] {
  for (const { block, content_type } of questions) {
    const about = (block ? block.split(',') : []).slice(content_type === 'audio' ? 1 : 0)
    if (about.length) return [...new Set(about)].slice(0, MAX_BLOCKS_PER_QUESTION)
  }
  return []
}

/** An assistant's preparation, with its notes kept in the answer of the run. */
function toRunPreparation(db: Db, { preparation }: PromptPlan): RunPreparation | undefined {
  if (!preparation) return undefined
  const { reserved_tokens, finish } = preparation
  return {
    reserved_tokens,
    buildMessages: ({ run_id, messages, signal, setNote }) =>
      preparation.buildMessages(messages, {
        signal,
        publishNote: setNote,
        async saveNote(note) {
          await saveAnswerNote(db, run_id, note)
          setNote(note)
        },
      }),
    finish,
  }
}
