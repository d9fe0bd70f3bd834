import { saveDraft, takeDraft } from '#web/core/draftStorage.ts'
import { toDraftKey, useConversations } from '#web/conversations/conversations.ts'
import { drafts } from './browserDrafts.ts'
import {
  getQueue,
  type QuestionQueue,
  type QueuedQuestion,
  type QueueSource,
  toDraftName,
  useQueueStore,
} from './queueStore.ts'

let lastId = 0
/** By conversation, the key of the message after which a queued question was last asked: none follows until it changes. */
const askedAfter = new Map<string, string>()
/** By conversation, the name under which its queue is saved; it changes when a draft gets its session. */
const savedAt = new Map<string, string>()

/** The source that knows each conversation with a queue. */
const sources = new Map<string, QueueSource>()
const subscribed = new Set<QueueSource>()

const conversations: QueueSource = {
  find: (conversationKey) => {
    const entry = Object.entries(useConversations.getState().byId).find(
      ([, { key }]) => key === conversationKey,
    )
    if (!entry) return undefined
    const [id, { messages, sending, has_newer, loading }] = entry
    const last = messages.at(-1)
    const isBusy = !last || sending || has_newer || loading === 'first' || last.status === 'typing'
    return {
      draftKey: toDraftKey(id),
      key: last?.key,
      status: isBusy ? 'busy' : last.status === 'done' ? 'done' : 'other',
    }
  },
  subscribe: (onChange) => useConversations.subscribe(onChange),
}

const findNewest = (conversationKey: string) => sources.get(conversationKey)?.find(conversationKey)

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
  save(conversationKey)
  if (!isEmpty) return
  askedAfter.delete(conversationKey)
  sources.delete(conversationKey)
}

/** Saves the waiting questions, so that they come back as a draft after a reload. */
function save(conversationKey: string): void {
  const before = savedAt.get(conversationKey)
  if (before) takeDraft(before)
  savedAt.delete(conversationKey)
  const { questions, returned } = getQueue(conversationKey)
  const draftKey = findNewest(conversationKey)?.draftKey
  if (!draftKey || !(questions.length + returned.length)) return
  const name = toDraftName(draftKey)
  const waitingQuestions = [...returned, ...questions]
  const blocks = waitingQuestions.flatMap(({ attachments }) =>
    attachments.flatMap(({ block_id }) => block_id ?? []),
  )
  saveDraft(name, { text: joinPrompts(waitingQuestions), blocks })
  savedAt.set(conversationKey, name)
}

/** Joins questions into one text for the field. */
export const joinPrompts = (questions: readonly Pick<QueuedQuestion, 'prompt'>[]): string =>
  questions.map(({ prompt }) => prompt).join('\n\n')

/** Asks a question once the answer in progress and the questions queued before it are done. */
export function queueQuestion(
  conversationKey: string,
  question: Omit<QueuedQuestion, 'id'>,
  source: QueueSource = conversations,
): void {
  sources.set(conversationKey, source)
  if (!subscribed.has(source)) {
    subscribed.add(source)
    source.subscribe(onSourceChange)
  }
  updateQueue(conversationKey, ({ questions }) => ({
    questions: [...questions, { ...question, id: ++lastId }],
  }))
  askNext(conversationKey)
}

/** Removes a question from its queue. */
export function removeQueued(conversationKey: string, id: number): void {
  updateQueue(conversationKey, ({ questions }) => ({ questions: questions.filter((one) => one.id !== id) }))
}

/** Returns the questions that go back to the field, and removes them. */
export function takeReturned(conversationKey: string): readonly QueuedQuestion[] {
  const { returned } = getQueue(conversationKey)
  if (returned.length) updateQueue(conversationKey, () => ({ returned: [] }))
  return returned
}

/** Asks the next question if the answer before it is done; after a stopped or failed one, all go back to the field. */
function askNext(conversationKey: string): void {
  const [next, ...questions] = getQueue(conversationKey).questions
  if (!next) return
  const newest = findNewest(conversationKey)
  // The conversation was deleted.
  if (!newest) return updateQueue(conversationKey, () => ({ questions: [] }))
  const { key, status } = newest
  if (!key || status === 'busy' || askedAfter.get(conversationKey) === key) return
  if (status !== 'done')
    return updateQueue(conversationKey, (queue) => ({
      questions: [],
      returned: [...queue.returned, ...queue.questions],
    }))
  askedAfter.set(conversationKey, key)
  updateQueue(conversationKey, () => ({ questions }))
  next.send()
}

function onSourceChange(): void {
  for (const conversationKey of Object.keys(useQueueStore.getState().byConversation)) {
    const draftKey = findNewest(conversationKey)?.draftKey
    if (draftKey && savedAt.get(conversationKey) !== toDraftName(draftKey)) save(conversationKey)
    askNext(conversationKey)
  }
}
drafts.onClear(() => useQueueStore.setState({ byConversation: {} }))
