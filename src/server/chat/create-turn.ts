import type { chatCalls } from '#contract/chat.ts'
import type { HandlerInput } from '#contract/call.ts'
import { DATI } from '#contract/chatbot.ts'
import { WEB_SEARCH } from '#contract/web-search.ts'
import { AppError } from '#server/core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor } from '#server/core/http.ts'
import type { IdempotencyKey } from '#server/core/idempotency.ts'
import { resolvePreference } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import { claimIdempotencyKey, completeIdempotencyKey } from '#server/runs/idempotency-keys.ts'
import type { RunHandle, Runs } from '#server/runs/runs.ts'
import type { WebSearch } from '#server/web-search/web-search.ts'
import type { Users } from '#server/users/users.ts'
import { requireGuestTurn } from './guest-limit.ts'
import type { GuestLimits } from './guest-limit.ts'
import { buildPrompt, buildPersonalText, joinSystemTexts, deriveTitle } from '#server/conversations/prompt.ts'
import { createWebSearchStep, estimateSearchTokens } from './web-search-step.ts'
import { parseSettings } from '#server/conversations/sessions/settings.ts'
import { insertSession } from '#server/conversations/sessions/store.ts'
import * as store from '#server/conversations/store.ts'
import type { MessageRow, SessionRow } from '#server/conversations/store.ts'
import { resolveTurn } from '#server/conversations/turns/resolve-turn.ts'
import type { PendingTurn } from '#server/conversations/turns/resolve-turn.ts'
import { findMessage, resumeAnswer, listTurnMessages } from '#server/conversations/turns/store.ts'

export type TurnInput = HandlerInput<(typeof chatCalls)['POST /api/chat/create']>['body']
export type TurnContext = {
  visitor: Visitor
  client: string
  /** Of a request that must not be carried out twice. */
  idempotency: IdempotencyKey | null
}
export type CreatedTurn = { session: SessionRow; question: MessageRow; answer: MessageRow }

type Options = {
  db: Db
  runs: Runs
  catalogue: Catalogue
  users: Users
  /** Null where no web search is configured. */
  search: WebSearch | null
  limits: GuestLimits
}

/** How many messages before the question are looked at for its prompt. */
const MAX_HISTORY_MESSAGES = 200

/**
 * Saves a question (or finds the one to answer again), holds what its answer may cost and starts the answer: all in
 * one transaction, so that nothing is ever half asked. Throws AppError.
 */
export async function createTurn(
  options: Options,
  context: TurnContext,
  input: TurnInput,
): Promise<CreatedTurn> {
  const { db, users, search } = options
  const { visitor } = context
  if (input.chatbot !== DATI) throw new AppError('channel_unavailable')
  if (!input.regen && !input.continue && !input.prompt.trim()) throw new AppError('empty_prompt')
  if (input.tools?.some((tool) => tool !== WEB_SEARCH || !search)) throw new AppError('tool_unavailable')
  const preferences = await users.getPreferences(visitor.user_id)
  let run: RunHandle | null = null
  const created = await db.transaction(async (tx) => {
    const earlier_chat_id =
      context.idempotency && (await claimIdempotencyKey(tx, visitor.user_id, context.idempotency))
    if (earlier_chat_id) return findEarlierTurn(tx, visitor.user_id, earlier_chat_id)
    const session = await lockOrCreateSession(tx, visitor.user_id, input)
    const model = resolveModel(options.catalogue, visitor, input.model, preferences.model ?? session.model)
    if ((await store.listRunningRuns(tx, session.id)).length) throw new AppError('turn_running')
    if (visitor.guest) await requireGuestTurn(tx, options.limits, visitor.user_id, context.client)
    const turn = await resolveTurn(tx, session.id, input)
    const history = await store.listNewestMessages(tx, session.id, {
      size: MAX_HISTORY_MESSAGES,
      before_turn: turn.chat_id,
    })
    // What goes on has been searched for before.
    const tools = search && !input.continue ? (input.tools ?? turn.question?.tools ?? []) : []
    const activeSearch = tools.includes(WEB_SEARCH) ? search : null
    const { system_prompt, temperature, max_tokens, stream } = parseSettings(session)
    const content = { question: turn.text, begun: turn.answer?.text ?? '' }
    const messages = buildPrompt(content, history, model, {
      system: joinSystemTexts(buildPersonalText(preferences.chat_setting), system_prompt),
      reserved: activeSearch ? estimateSearchTokens(model.id) : 0,
    })
    run = await options.runs.create(tx, {
      user_id: visitor.user_id,
      kind: 'chat',
      subject_id: turn.chat_id,
      model: model.id,
      prompt: {
        messages,
        max_tokens: Math.min(max_tokens, model.max_tokens),
        ...(temperature === null ? {} : { temperature }),
      },
      ...(activeSearch
        ? {
            prepare: createWebSearchStep(
              { db, search: activeSearch },
              { question: turn.text, messages, model_id: model.id },
            ),
          }
        : {}),
      preference: resolvePreference(undefined, undefined, { provider_sort: preferences.provider_sort }),
      free: visitor.guest,
    })
    if (context.idempotency)
      await completeIdempotencyKey(tx, visitor.user_id, context.idempotency.key, turn.chat_id)
    return saveTurn(tx, session, turn, {
      input: { ...input, stream: input.stream ?? stream },
      tools,
      model: model.id,
      run_id: run.run_id,
      parent_id: turn.parent_id ?? history[0]?.id ?? session.id,
    })
  })
  ;(run as RunHandle | null)?.start()
  return created
}

/** What the first request under an Idempotency-Key made, as it stands now. */
async function findEarlierTurn(tx: Db, user_id: string, chat_id: string): Promise<CreatedTurn> {
  const messages = await listTurnMessages(tx, user_id, chat_id)
  const [question, answer] = [messages[0], messages.findLast(({ role }) => role === 'ai')]
  const session = question && (await store.findSession(tx, user_id, question.sess_id))
  if (!session || !answer) throw new AppError('not_found')
  return { session, question, answer }
}

/** The session to ask in, locked: the named one, else the current one, else a new one. */
async function lockOrCreateSession(
  tx: Db,
  user_id: string,
  { sess_id, chatbot }: TurnInput,
): Promise<SessionRow> {
  const id = sess_id ?? (await store.findCurrentSession(tx, user_id, chatbot))?.id
  const session = id && (await store.lockSession(tx, user_id, id))
  if (session) return session
  if (sess_id) throw new AppError('not_found')
  const created = await insertSession(tx, { user_id, chatbot, title: '' })
  await store.setCurrentSession(tx, user_id, chatbot, created.id)
  return created
}

/** The model that was asked for; else what the person or the session used last, where that can still be had. */
function resolveModel(
  catalogue: Catalogue,
  { guest }: Visitor,
  requested: string | null | undefined,
  previous: string | null,
) {
  const isUsable = (id: string): boolean =>
    catalogue.listOffers(id).length > 0 && (!guest || catalogue.getModel(id)?.guest === true)
  const id = requested ?? (previous && isUsable(previous) ? previous : catalogue.getDefaultModel({ guest }))
  const model = catalogue.getModel(id)
  if (!model || model.type !== 'chat' || !model.visible) throw new AppError('model_not_found')
  if (guest && !model.guest) throw new AppError('guest_model')
  return model
}

type TurnToSave = {
  input: TurnInput & { stream: boolean }
  tools: string[]
  model: string
  run_id: string
  parent_id: string
}

async function saveTurn(
  tx: Db,
  session: SessionRow,
  turn: PendingTurn,
  values: TurnToSave,
): Promise<CreatedTurn> {
  const { input, model } = values
  const { question, answer } = await (turn.answer
    ? resumeTurn(tx, turn, values)
    : insertTurn(tx, session, turn, values))
  return {
    session: await store.touchSession(tx, session.id, model, deriveTitle(turn.text)),
    // What is new at the end of a conversation has no other versions.
    question: input.edit ? await withVersions(tx, session, question) : question,
    answer: input.regen || input.continue ? await withVersions(tx, session, answer) : answer,
  }
}

const withVersions = async (tx: Db, { user_id }: SessionRow, row: MessageRow): Promise<MessageRow> =>
  (await findMessage(tx, user_id, row.id)) ?? row

async function insertTurn(
  tx: Db,
  session: SessionRow,
  turn: PendingTurn,
  { input, tools, model, run_id, parent_id }: TurnToSave,
): Promise<{ question: MessageRow; answer: MessageRow }> {
  const shared = {
    sess_id: session.id,
    chat_id: turn.chat_id,
    model,
    chat_model: model,
    stream: input.stream,
    tools,
    block: input.block ?? null,
    quick_action: input.quick_action ?? null,
  }
  const questionRow = {
    ...shared,
    id: turn.question?.id ?? createId(),
    parent_id,
    role: 'human',
    text: turn.text,
    status: 'done',
    content_type: input.content_type,
  } as const
  const answerRow = {
    ...shared,
    id: createId(),
    parent_id: questionRow.id,
    role: 'ai',
    text: '',
    status: 'typing',
    content_type: 'text',
    run_id,
    wants_related: input.related_prompts,
  } as const
  const rows = await store.insertMessages(tx, [...(turn.question ? [] : [questionRow]), answerRow])
  return { question: turn.question ?? rows[0]!, answer: rows.at(-1)! }
}

async function resumeTurn(
  tx: Db,
  { question, answer }: PendingTurn,
  { input, model, run_id }: TurnToSave,
): Promise<{ question: MessageRow; answer: MessageRow }> {
  const { stream, related_prompts: wants_related } = input
  const run = { run_id, model, chat_model: model, stream, wants_related }
  return { question: question!, answer: await resumeAnswer(tx, answer!.id, run) }
}
