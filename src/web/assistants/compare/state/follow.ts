import {
  followTurn,
  isFollowed,
  requestTitle,
  restartLanes,
  unfollow,
  updateMessage,
  type AnswerStore,
} from '#web/conversations/conversations.ts'
import { findAnswer, listTurns, updateColumns } from './comparison.ts'
import { getComparison, reloadComparison, updateComparison } from './comparisonStore.ts'

/** Comparisons, whose lanes are the models of the columns. */
const comparisonAnswers: AnswerStore = {
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
    if (!isFollowed(chatId)) void followTurn(comparisonAnswers, toFollowing(id, chatId))
}

/** Follows a turn in which these models begin again, or for the first time, while others may go on. */
export function followAgain(id: string, chatId: string, models: readonly string[]): void {
  const from = restartLanes(unfollow(chatId), models)
  void followTurn(comparisonAnswers, { ...toFollowing(id, chatId), from })
}
