import {
  notifySessionChange,
  pickLonger,
  PLACEHOLDER,
  readEvents,
  requestTitle,
  setLiveAnswer,
  toEndedMessage,
  type Message,
  type StreamEnd,
} from '#web/conversations/conversations.ts'
import { findAnswer, listTurns, updateColumns } from './comparison.ts'
import { getComparison, reloadComparison, updateComparison } from './comparisonStore.ts'
import {
  applyTurnEvent,
  initialTurnStream,
  restartModels,
  toLastEventIds,
  type TurnStream,
} from './turnStream.ts'

/** Shortest interval between renderings: the texts of all columns are shown together, with one layout. */
const RENDER_INTERVAL_MS = 80

/** The turns that this tab follows, by id, with their streams. */
const followedTurns = new Map<string, { controller: AbortController; stream: TurnStream }>()

/** Follows every turn with an answer in progress that this tab does not follow yet. */
export function followTurns(id: string): void {
  const typing = getComparison(id)?.columns.flatMap(({ messages }) =>
    messages.filter(({ status, local }) => status === 'typing' && !local),
  )
  for (const chatId of new Set(typing?.map((message) => message.chat_id)))
    if (!followedTurns.has(chatId)) void followTurn(id, chatId, initialTurnStream)
}

/** Follows a turn in which these models begin again, or for the first time, while others may go on. */
export function followAgain(id: string, chatId: string, models: readonly string[]): void {
  const current = followedTurns.get(chatId)
  current?.controller.abort()
  followedTurns.delete(chatId)
  void followTurn(id, chatId, current ? restartModels(current.stream, models) : initialTurnStream)
}

/** The answers of a turn in progress, by model. */
const listTyping = (id: string, chatId: string): [model: string, message: Message][] =>
  (getComparison(id)?.columns ?? []).flatMap(({ model, messages }) => {
    const answer = messages.find((message) => message.chat_id === chatId && message.status === 'typing')
    return answer && !answer.local ? [[model, answer] as [string, Message]] : []
  })

async function followTurn(id: string, chatId: string, initial: TurnStream): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  const entry = { controller, stream: initial }
  followedTurns.set(chatId, entry)
  let timer: ReturnType<typeof setTimeout> | undefined
  let shownByModel: TurnStream['byModel'] = {}
  const flush = () => {
    timer = undefined
    const { byModel } = entry.stream
    for (const [model, message] of listTyping(id, chatId)) {
      const state = byModel[model]
      if (!state || state === shownByModel[model]) continue
      if (state.search && state.search !== shownByModel[model]?.search)
        updateAnswer(id, model, message.key, (current) => ({ ...current, search: state.search }))
      const storedAnswer = { ...message, text: message.text === PLACEHOLDER ? '' : message.text }
      // An answer without streaming is shown when it is complete.
      if (message.stream) setLiveAnswer(message.id, pickLonger(state, storedAnswer))
      if (state.end) end(model, message, state.end)
    }
    shownByModel = byModel
  }
  const end = (model: string, message: Message, how: StreamEnd) => {
    const state = entry.stream.byModel[model] ?? { text: '', reasoning: '', reasoning_ms: null }
    updateAnswer(id, model, message.key, (current) => toEndedMessage(current, state, how))
    setLiveAnswer(message.id, null)
    scheduleReload(id)
  }
  try {
    const { failure } = await readEvents(
      {
        query: { chat_id: chatId, chatbot: 'compare' },
        initial,
        apply: applyTurnEvent,
        toLastEventId: toLastEventIds,
        hasEnded: ({ isOver }) => isOver,
      },
      (stream) => {
        entry.stream = stream
        timer ??= setTimeout(flush, RENDER_INTERVAL_MS)
      },
      signal,
    )
    clearTimeout(timer)
    flush()
    if (failure) {
      console.warn(`compare: the answers of ${chatId} could not be read any more (${failure.state})`)
      if (failure.state === 'gone') await reloadComparison(id)
      for (const [model, message] of listTyping(id, chatId)) end(model, message, failure)
    }
    // Only the server knows the cost.
    await reloadComparison(id)
    notifySessionChange(id)
    requestFirstTitle(id, chatId)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    clearTimeout(timer)
    if (followedTurns.get(chatId) === entry) followedTurns.delete(chatId)
  }
}

const updateAnswer = (id: string, model: string, key: string, update: (message: Message) => Message): void =>
  updateComparison(id, ({ columns }) => ({
    columns: updateColumns(columns, [model], (messages) =>
      messages.map((message) => (message.key === key && message.role === 'ai' ? update(message) : message)),
    ),
  }))

/** Delay before figures are read, so that answers ending at about the same moment share one request. */
const RELOAD_DELAY_MS = 150
const reloads = new Map<string, ReturnType<typeof setTimeout>>()

function scheduleReload(id: string): void {
  if (reloads.has(id)) return
  const reload = () => {
    reloads.delete(id)
    void reloadComparison(id)
  }
  reloads.set(id, setTimeout(reload, RELOAD_DELAY_MS))
}

/** Requests a title once the first turn is over; a queued question may already follow it. */
function requestFirstTitle(id: string, chatId: string): void {
  const { columns = [], has_more } = getComparison(id) ?? {}
  const first = listTurns(columns)[0]
  if (has_more || first?.chat_id !== chatId) return
  const answers = columns.flatMap((column) => findAnswer(column, first) ?? [])
  const isOver = answers.every(({ status }) => status !== 'typing')
  if (isOver && answers.some(({ status }) => status === 'done')) requestTitle(id)
}
