import { tabStorage } from '#web/core/browserStorage.ts'
import { type Conversation, useConversations } from '#web/conversations/conversations.ts'
import { drafts } from './browserDrafts.ts'
import {
  getQueue,
  type QuestionQueue,
  type QueuedQuestion,
  toStorageKey,
  useQueueStore,
} from './queueStore.ts'

let lastId = 0
/** The message after which the last question of a queue was asked, by conversation: until it is there, none follows. */
const askedAfter = new Map<string, string>()
/** Where a queue is saved, by conversation: a draft gets its session meanwhile. */
const savedAt = new Map<string, string>()

const findConversation = (conversationKey: string): [id: string, conversation: Conversation] | undefined =>
  Object.entries(useConversations.getState().byId).find(([, { key }]) => key === conversationKey)

function updateQueue(
  conversationKey: string,
  update: (queue: QuestionQueue) => Partial<QuestionQueue>,
): void {
  const queue = getQueue(conversationKey)
  const next = { ...queue, ...update(queue) }
  const isEmpty = !next.questions.length && !next.returned.length
  useQueueStore.setState(({ byConversation }) => {
    const others = Object.entries(byConversation).filter(([key]) => key !== conversationKey)
    return { byConversation: Object.fromEntries(isEmpty ? others : [...others, [conversationKey, next]]) }
  })
  if (isEmpty) askedAfter.delete(conversationKey)
  save(conversationKey)
}

/** Keeps what waits as text: should the page be loaded again, it is a draft. */
function save(conversationKey: string): void {
  const before = savedAt.get(conversationKey)
  if (before) tabStorage.removeItem(before)
  savedAt.delete(conversationKey)
  const { questions, returned } = getQueue(conversationKey)
  const id = findConversation(conversationKey)?.[0]
  if (!id || !(questions.length + returned.length)) return
  const key = toStorageKey(id)
  tabStorage.setItem(key, joinPrompts([...returned, ...questions]))
  savedAt.set(conversationKey, key)
}

/** Several questions as one text, for the field. */
export const joinPrompts = (questions: readonly Pick<QueuedQuestion, 'prompt'>[]): string =>
  questions.map(({ prompt }) => prompt).join('\n\n')

/** Has a question asked as soon as the answer that is being written, and the questions queued before it, are done. */
export function queueQuestion(conversationKey: string, question: Omit<QueuedQuestion, 'id'>): void {
  updateQueue(conversationKey, ({ questions }) => ({
    questions: [...questions, { ...question, id: ++lastId }],
  }))
  askNext(conversationKey)
}

/** Takes a question out of its queue. */
export function removeQueued(conversationKey: string, id: number): void {
  updateQueue(conversationKey, ({ questions }) => ({ questions: questions.filter((one) => one.id !== id) }))
}

/** Takes the questions that go back to the field, once. */
export function takeReturned(conversationKey: string): readonly QueuedQuestion[] {
  const { returned } = getQueue(conversationKey)
  if (returned.length) updateQueue(conversationKey, () => ({ returned: [] }))
  return returned
}

/** Asks the next question where the answer before it is done; an answer that was stopped or failed sends all of them back. */
function askNext(conversationKey: string): void {
  const [next, ...questions] = getQueue(conversationKey).questions
  if (!next) return
  const conversation = findConversation(conversationKey)?.[1]
  // It was deleted.
  if (!conversation) return updateQueue(conversationKey, () => ({ questions: [] }))
  const { messages, sending, has_newer, loading } = conversation
  const last = messages.at(-1)
  if (!last || sending || has_newer || loading === 'first' || last.status === 'typing') return
  if (askedAfter.get(conversationKey) === last.key) return
  if (last.status !== 'done')
    return updateQueue(conversationKey, (queue) => ({
      questions: [],
      returned: [...queue.returned, ...queue.questions],
    }))
  askedAfter.set(conversationKey, last.key)
  updateQueue(conversationKey, () => ({ questions }))
  next.send()
}

useConversations.subscribe(() => {
  for (const conversationKey of Object.keys(useQueueStore.getState().byConversation)) {
    const id = findConversation(conversationKey)?.[0]
    if (id && savedAt.get(conversationKey) !== toStorageKey(id)) save(conversationKey)
    askNext(conversationKey)
  }
})
drafts.onClear(() => useQueueStore.setState({ byConversation: {} }))
