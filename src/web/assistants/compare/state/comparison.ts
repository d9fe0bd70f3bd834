import type { CallResponse } from '#contract/call.ts'
import type { ChatMessage, ChatSession } from '#contract/chat.ts'
import type {
  ColumnSettings,
  Comparison as ServerComparison,
  compareCalls,
  Vote,
} from '#contract/compare/compare.ts'
import {
  createLocalAnswer,
  createLocalQuestion,
  mergeNewestPage,
  PLACEHOLDER,
  prependOlderPage,
  withoutKey,
  type Failure,
  type Message,
} from '#web/conversations/conversations.ts'

/** A model with its questions and answers. */
export type Column = { model: string; settings: ColumnSettings | null; messages: readonly Message[] }

/** A comparison as this tab knows it. `key` stays the same when a draft gets its session. */
export type Comparison = {
  key: string
  session: ChatSession | null
  columns: readonly Column[]
  /** Names and figures are hidden until the vote. */
  blind: boolean
  /** Votes by the id of the turn. */
  votes: Readonly<Record<string, Vote>>
  has_more: boolean
  loading: 'first' | 'older' | null
  /** The reason why the messages could not be loaded. */
  loadError: { message: string; isGone: boolean } | null
  /** A question is on its way to the server. */
  sending: boolean
  /** The messages changed here while they were being read, and must be read again. */
  isStale: boolean
}

export type MessagesPage = CallResponse<(typeof compareCalls)['GET /api/compare/messages']>

export const emptyComparison: Omit<Comparison, 'key'> = {
  session: null,
  columns: [],
  blind: false,
  votes: {},
  has_more: false,
  loading: null,
  loadError: null,
  sending: false,
  isStale: false,
}

const toVotes = (votes: readonly Vote[]): Comparison['votes'] =>
  Object.fromEntries(votes.map((vote) => [vote.chat_id, vote]))

/** The server's columns, with the messages that this tab has of them. */
export function applyColumns(
  { columns }: Pick<Comparison, 'columns'>,
  { session, models, blind }: ServerComparison,
): Pick<Comparison, 'session' | 'columns' | 'blind'> {
  const messagesByModel = new Map(columns.map((column) => [column.model, column.messages]))
  return {
    session,
    blind,
    columns: models.map((column) => ({ ...column, messages: messagesByModel.get(column.model) ?? [] })),
  }
}

const getOldest = (page: MessagesPage): string =>
  page.groups
    .flatMap(({ messages }) => messages.map(({ created_at }) => created_at))
    .reduce((oldest, at) => (oldest === '' || at < oldest ? at : oldest), '')

/** The comparison after its newest turns were read again: unchanged messages keep their identity, older turns stay. */
export function mergeNewestTurns(current: Comparison, page: MessagesPage): Partial<Comparison> {
  const { session, columns, blind } = applyColumns(current, page)
  const oldest = getOldest(page)
  const isOlder = (message: Message) => page.has_more && !message.local && message.created_at < oldest
  const hasOlder = columns.some(({ messages }) => messages.some(isOlder))
  const receivedByModel = new Map(page.groups.map(({ model, messages }) => [model, messages]))
  return {
    session,
    blind,
    votes: { ...(hasOlder ? current.votes : {}), ...toVotes(page.votes) },
    has_more: hasOlder ? current.has_more : page.has_more,
    columns: columns.map((column) => {
      const newest = mergeNewestPage(column.messages, receivedByModel.get(column.model) ?? [], false).messages
      return { ...column, messages: [...column.messages.filter(isOlder), ...newest] }
    }),
  }
}

/** The comparison with a page of older turns in front. */
export function prependOlderTurns(current: Comparison, page: MessagesPage): Partial<Comparison> {
  const receivedByModel = new Map(page.groups.map(({ model, messages }) => [model, messages]))
  return {
    has_more: page.has_more,
    votes: { ...toVotes(page.votes), ...current.votes },
    columns: current.columns.map((column) => ({
      ...column,
      messages: prependOlderPage(column.messages, receivedByModel.get(column.model) ?? []),
    })),
  }
}

/** Updates the messages of the columns of these models. */
export const updateColumns = (
  columns: readonly Column[],
  models: readonly string[],
  update: (messages: readonly Message[], model: string) => readonly Message[],
): readonly Column[] =>
  columns.map((column) =>
    models.includes(column.model) ? { ...column, messages: update(column.messages, column.model) } : column,
  )

type NewQuestion = { prompt: string; models: readonly string[]; idempotency_key: string } & Pick<
  Message,
  'tools' | 'block' | 'content_type'
>

/** Adds a question, and a placeholder for its answer, to each column that is asked. */
export function addQuestion(
  columns: readonly Column[],
  { prompt, models, idempotency_key, ...about }: NewQuestion,
): readonly Column[] {
  const question = { ...createLocalQuestion(prompt, '', about), idempotency_key }
  // The new question replaces one that was refused.
  return updateColumns(columns, models, (messages, model) => [
    ...messages.filter(({ local }) => !local),
    question,
    createLocalAnswer(model),
  ])
}

/** Makes one answer of a turn pending again, in its old place or, where the column was not asked, at the end. */
export function addAnswer(columns: readonly Column[], model: string, question: Message): readonly Column[] {
  const emptyAnswer = {
    status: 'typing',
    text: PLACEHOLDER,
    reasoning: '',
    error: null,
    figures: null,
  } as const
  return updateColumns(columns, [model], (messages) => {
    const isAsked = messages.some((message) => message.chat_id === question.chat_id)
    if (!isAsked) return [...messages, question, { ...createLocalAnswer(model), chat_id: question.chat_id }]
    return messages.map((message) =>
      message.chat_id === question.chat_id && message.role === 'ai'
        ? { ...message, ...emptyAnswer, local: true }
        : message,
    )
  })
}

/** Replaces the local messages of a question by the server's. */
export function applyCreated(
  columns: readonly Column[],
  { question, chat_messages }: { question: ChatMessage; chat_messages: readonly ChatMessage[] },
): readonly Column[] {
  const receivedByModel = new Map(chat_messages.map((message) => [message.model, message]))
  return updateColumns(columns, [...receivedByModel.keys()], (messages, model) =>
    messages.map((message) => {
      if (!message.local) return message
      const storedMessage = message.role === 'human' ? question : receivedByModel.get(model)
      return storedMessage ? { ...storedMessage, key: message.key } : message
    }),
  )
}

/** Shows the reason in each pending answer after the server refused a question or its response was lost. */
export const applyFailure = (
  columns: readonly Column[],
  models: readonly string[],
  { message: error, isRefused, marks }: Failure,
): readonly Column[] =>
  updateColumns(columns, models, (messages) =>
    messages.map((message) => {
      if (!message.local) return message
      if (message.role === 'ai') return { ...message, text: '', status: 'failed', error, ...marks }
      return isRefused ? withoutKey(message) : message
    }),
  )

/** The turns from the oldest to the newest; all columns have the same question for a turn. */
export function listTurns(columns: readonly Column[]): Message[] {
  const questions = new Map<string, Message>()
  for (const { messages } of columns)
    for (const message of messages) if (message.role === 'human') questions.set(getTurnKey(message), message)
  return [...questions.values()].sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
}

/** A turn that has no id yet is identified by its question. */
export const getTurnKey = ({ chat_id, key }: Message): string => chat_id || key

/** A column's answer to a turn; undefined where it was not asked. */
export function findAnswer({ messages }: Column, turn: Message): Message | undefined {
  const at = messages.findIndex(
    (message) => message.role === 'human' && getTurnKey(message) === getTurnKey(turn),
  )
  const answer = messages[at + 1]
  return at >= 0 && answer?.role === 'ai' ? answer : undefined
}

/** Models that the next question goes to: the chosen target while its column exists, else all. */
export function listAskedModels(columns: readonly Column[], target: string | null): string[] {
  const models = columns.map(({ model }) => model)
  return target !== null && models.includes(target) ? [target] : models
}

/** Tells whether a column is answering or waiting for its answer. */
export const isAnswering = ({ messages }: Column): boolean =>
  messages.some(({ status }) => status === 'typing')
