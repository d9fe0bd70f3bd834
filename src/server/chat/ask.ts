import type { chatCalls } from '#contract/chat.ts'
import type { Input } from '#contract/call.ts'
import { DATI } from '#contract/chatbot.ts'
import { WEB_SEARCH } from '#contract/search.ts'
import { AppError } from '../core/app-error.ts'
import { newId } from '../core/clock.ts'
import type { Db } from '../core/database.ts'
import type { Visitor } from '../core/http.ts'
import type { Idempotency } from '../core/idempotency.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import { preferenceOf } from '../llm/routing/preference.ts'
import { claim, fulfil } from '../runs/requests.ts'
import type { OpenedRun, Runs } from '../runs/runs.ts'
import type { Search } from '../search/search.ts'
import type { Users } from '../users/users.ts'
import { spendGuestTurn } from './guests.ts'
import type { GuestLimits } from './guests.ts'
import { buildPrompt, personalText, systemText, titleOf } from './prompt.ts'
import { searchFirst, searchTokens } from './searching/searching.ts'
import { settingsOf } from './sessions/settings.ts'
import { insertSession } from './sessions/store.ts'
import * as store from './store.ts'
import type { MessageRow, SessionRow } from './store.ts'
import { beginTurn } from './turns/begin.ts'
import type { Turn } from './turns/begin.ts'
import { messageById, resumeAnswer, turnMessages } from './turns/store.ts'

export type Question = Input<(typeof chatCalls)['POST /api/chat/create']>['body']
export type Asker = {
  visitor: Visitor
  client: string
  /** Of a request that must not be carried out twice. */
  idempotency: Idempotency | null
}
export type Asked = { session: SessionRow; question: MessageRow; answer: MessageRow }

type Options = {
  db: Db
  runs: Runs
  catalogue: Catalogue
  users: Users
  /** Null where no web search is configured. */
  search: Search | null
  limits: GuestLimits
}

/** How many messages before the question are looked at for its prompt. */
const HISTORY = 200

/**
 * Saves a question (or finds the one to answer again), holds what its answer may cost and starts the answer: all in
 * one transaction, so that nothing is ever half asked. Throws AppError.
 */
export async function ask(options: Options, asker: Asker, input: Question): Promise<Asked> {
  const { db, users, search } = options
  const { visitor } = asker
  if (input.chatbot !== DATI) throw new AppError('channel_unavailable')
  if (!input.regen && !input.continue && !input.prompt.trim()) throw new AppError('empty_prompt')
  if (input.tools?.some((tool) => tool !== WEB_SEARCH || !search)) throw new AppError('tool_unavailable')
  const chosen = await users.choices(visitor.user_id)
  let run: OpenedRun | null = null
  const asked = await db.transaction(async (tx) => {
    const done = asker.idempotency && (await claim(tx, visitor.user_id, asker.idempotency))
    if (done) return askedBefore(tx, visitor.user_id, done)
    const session = await openSession(tx, visitor.user_id, input)
    const model = usableModel(options.catalogue, visitor, input.model, chosen.model ?? session.model)
    if ((await store.runningRuns(tx, session.id)).length) throw new AppError('turn_running')
    if (visitor.guest) await spendGuestTurn(tx, options.limits, visitor.user_id, asker.client)
    const turn = await beginTurn(tx, session.id, input)
    const history = await store.newestMessages(tx, session.id, { size: HISTORY, before_turn: turn.chat_id })
    // What goes on has been searched for before.
    const tools = search && !input.continue ? (input.tools ?? turn.question?.tools ?? []) : []
    const searching = tools.includes(WEB_SEARCH) ? search : null
    const { system_prompt, temperature, max_tokens, stream } = settingsOf(session)
    const asked = { question: turn.text, begun: turn.answer?.text ?? '' }
    const messages = buildPrompt(asked, history, model, {
      system: systemText(personalText(chosen.chat_setting), system_prompt),
      reserved: searching ? searchTokens(model.id) : 0,
    })
    run = await options.runs.open(tx, {
      user_id: visitor.user_id,
      kind: 'chat',
      subject_id: turn.chat_id,
      model: model.id,
      prompt: {
        messages,
        max_tokens: Math.min(max_tokens, model.max_tokens),
        ...(temperature === null ? {} : { temperature }),
      },
      ...(searching
        ? {
            prepare: searchFirst(
              { db, search: searching },
              { question: turn.text, messages, model_id: model.id },
            ),
          }
        : {}),
      preference: preferenceOf(undefined, undefined, { provider_sort: chosen.provider_sort }),
      free: visitor.guest,
    })
    if (asker.idempotency) await fulfil(tx, visitor.user_id, asker.idempotency.key, turn.chat_id)
    return save(tx, session, turn, {
      input: { ...input, stream: input.stream ?? stream },
      tools,
      model: model.id,
      run_id: run.run_id,
      parent_id: turn.parent_id ?? history[0]?.id ?? session.id,
    })
  })
  ;(run as OpenedRun | null)?.start()
  return asked
}

/** What the first request under an Idempotency-Key made, as it stands now. */
async function askedBefore(tx: Db, user_id: string, chat_id: string): Promise<Asked> {
  const messages = await turnMessages(tx, user_id, chat_id)
  const [question, answer] = [messages[0], messages.findLast(({ role }) => role === 'ai')]
  const session = question && (await store.sessionById(tx, user_id, question.sess_id))
  if (!session || !answer) throw new AppError('not_found')
  return { session, question, answer }
}

/** The session to ask in, locked: the named one, else the current one, else a new one. */
async function openSession(tx: Db, user_id: string, { sess_id, chatbot }: Question): Promise<SessionRow> {
  const id = sess_id ?? (await store.currentSession(tx, user_id, chatbot))?.id
  const session = id && (await store.lockSession(tx, user_id, id))
  if (session) return session
  if (sess_id) throw new AppError('not_found')
  const fresh = await insertSession(tx, { user_id, chatbot, title: '' })
  await store.setCurrent(tx, user_id, chatbot, fresh.id)
  return fresh
}

/** The model that was asked for; else what the person or the session used last, where that can still be had. */
function usableModel(
  catalogue: Catalogue,
  { guest }: Visitor,
  asked: string | null | undefined,
  last: string | null,
) {
  const usable = (id: string): boolean =>
    catalogue.offers(id).length > 0 && (!guest || catalogue.model(id)?.guest === true)
  const id = asked ?? (last && usable(last) ? last : catalogue.default_model({ guest }))
  const model = catalogue.model(id)
  if (!model || model.type !== 'chat' || !model.visible) throw new AppError('model_not_found')
  if (guest && !model.guest) throw new AppError('guest_model')
  return model
}

type Saving = {
  input: Question & { stream: boolean }
  tools: string[]
  model: string
  run_id: string
  parent_id: string
}

async function save(tx: Db, session: SessionRow, turn: Turn, saving: Saving): Promise<Asked> {
  const { input, model } = saving
  const { question, answer } = await (turn.answer
    ? resume(tx, turn, saving)
    : insert(tx, session, turn, saving))
  return {
    session: await store.touchSession(tx, session.id, model, titleOf(turn.text)),
    // What is new at the end of a conversation has no other versions.
    question: input.edit ? await versioned(tx, session, question) : question,
    answer: input.regen || input.continue ? await versioned(tx, session, answer) : answer,
  }
}

const versioned = async (tx: Db, { user_id }: SessionRow, row: MessageRow): Promise<MessageRow> =>
  (await messageById(tx, user_id, row.id)) ?? row

async function insert(
  tx: Db,
  session: SessionRow,
  turn: Turn,
  { input, tools, model, run_id, parent_id }: Saving,
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
  const asked = {
    ...shared,
    id: turn.question?.id ?? newId(),
    parent_id,
    role: 'human',
    text: turn.text,
    status: 'done',
    content_type: input.content_type,
  } as const
  const answer = {
    ...shared,
    id: newId(),
    parent_id: asked.id,
    role: 'ai',
    text: '',
    status: 'typing',
    content_type: 'text',
    run_id,
    wants_related: input.related_prompts,
  } as const
  const rows = await store.insertMessages(tx, [...(turn.question ? [] : [asked]), answer])
  return { question: turn.question ?? rows[0]!, answer: rows.at(-1)! }
}

async function resume(
  tx: Db,
  { question, answer }: Turn,
  { input, model, run_id }: Saving,
): Promise<{ question: MessageRow; answer: MessageRow }> {
  const { stream, related_prompts: wants_related } = input
  const run = { run_id, model, chat_model: model, stream, wants_related }
  return { question: question!, answer: await resumeAnswer(tx, answer!.id, run) }
}
