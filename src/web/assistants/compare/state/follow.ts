import {
  cancelTurn,
  followTurn,
  isFollowed,
  notifySessionChange,
  requestTitle,
  restartLanes,
  stopWhenSent,
  unfollow,
  updateMessage,
  type QuestionStore,
} from '#web/conversations/conversations.ts'
import { findAnswer, listTurns, updateColumns } from './comparison.ts'
import { getComparison, reloadComparison, toDraftKey, updateComparison } from './comparisonStore.ts'

/** Comparisons, whose lanes are the models of the columns. */
export const comparisonQuestions: QuestionStore = {
  toDraftKey,
  listTyping: (id, chatId) =>
    (getComparison(id)?.columns ?? []).flatMap(({ model, messages }) => {
      const answer = messages.find((message) => message.chat_id === chatId && message.status === 'typing')
      return answer && !answer.local ? [[model, answer] as const] : []
    }),
  updateAnswer: (id, model, key, update) =>
    updateComparison(id, ({ columns }) => ({
      columns: updateColumns(columns, [model], (messages) => updateMessage(messages, key, update)),
    })),
  reload: reloadComparison,
  isStale: (id) => getComparison(id)?.isStale ?? false,
  follow: followAgain,
  stop: (id, chatId) => stopAnswers(id, chatId),
  /** Requests a title once the first turn is over; a queued question may already follow it. */
  onTurnEnd(id, chatId) {
    const { columns = [], has_more } = getComparison(id) ?? {}
    const first = listTurns(columns)[0]
    if (has_more || first?.chat_id !== chatId) return
    const answers = columns.flatMap((column) => findAnswer(column, first) ?? [])
    const isOver = answers.every(({ status }) => status !== 'typing')
    if (isOver && answers.some(({ status }) => status === 'done')) requestTitle(id)
  },
}

const toFollowing = (id: string, chatId: string) => ({
  key: chatId,
  id,
  query: { chat_id: chatId, chatbot: 'compare' },
})

/** Follows every turn with an answer in progress that this tab does not follow yet. */
export function followTurns(id: string): void {
  const typing = getComparison(id)?.columns.flatMap(({ messages }) =>
    messages.filter(({ status, local }) => status === 'typing' && !local),
  )
  for (const chatId of new Set(typing?.map((message) => message.chat_id)))
    if (!isFollowed(chatId)) void followTurn(comparisonQuestions, toFollowing(id, chatId))
}

/** Follows a turn in which these models begin again, or for the first time, while others may go on. */
function followAgain(id: string, chatId: string, models: readonly string[]): void {
  const from = restartLanes(unfollow(chatId), models)
  void followTurn(comparisonQuestions, { ...toFollowing(id, chatId), from })
}

/** A comparison's key, by which a question on its way is stopped. */
export const getKey = (id: string): string => getComparison(id)?.key ?? id

/** Stops the answers to a turn that are being written, or one of them; text written so far stays. */
async function stopAnswers(id: string, chatId: string, model?: string): Promise<void> {
  if (!chatId) return stopWhenSent(getKey(id))
  await cancelTurn(chatId, model)
  await reloadComparison(id)
  notifySessionChange(id)
}

/** Stops all answers of these columns. */
export async function stopColumns(id: string, models: readonly string[]): Promise<void> {
  const columns = getComparison(id)?.columns.filter(({ model }) => models.includes(model)) ?? []
  const typing = columns.flatMap(({ model, messages }) =>
    messages.filter(({ status }) => status === 'typing').map(({ chat_id }) => ({ model, chat_id })),
  )
  const isAll = models.length === getComparison(id)?.columns.length
  const turns = Map.groupBy(typing, ({ chat_id }) => chat_id)
  await Promise.all(
    [...turns].flatMap(([chatId, answers]) =>
      isAll ? [stopAnswers(id, chatId)] : answers.map(({ model }) => stopAnswers(id, chatId, model)),
    ),
  )
}
