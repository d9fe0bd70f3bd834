import { PLACEHOLDER } from '../limits.ts'
import { setLiveAnswer, type LiveAnswer } from '../liveAnswers.ts'
import type { Message } from '../messages.ts'
import { notifySessionChange } from '../tabSync.ts'
import { messagesText } from '#web/text/messages.ts'
import type { QuestionStore } from './questionStore.ts'
import { initialAnswer, initialTurn, type AnswerEnd, type TurnState } from './turnState.ts'
import { readTurn } from './turnStream.ts'

/** Delay before figures are read, so that answers ending at about the same moment share one request. */
const RELOAD_DELAY_MS = 150

type FollowedTurn = { controller: AbortController; turn: TurnState }

/** The turns that this tab follows, by the key that the follower chose. */
const followedTurns = new Map<string, FollowedTurn>()

/** Tells whether this tab follows an answer that is being written. */
export const isAnswerGrowing = (): boolean => followedTurns.size > 0

export const isFollowed = (key: string): boolean => followedTurns.has(key)

/** Stops following a turn; returns its answers so far. */
export function unfollow(key: string): TurnState {
  const followed = followedTurns.get(key)
  followed?.controller.abort()
  followedTurns.delete(key)
  return followed?.turn ?? initialTurn
}

/** Follows a turn until `read` returns, or until it is no longer followed, which aborts the controller. */
export async function follow(key: string, read: (followed: FollowedTurn) => Promise<void>): Promise<void> {
  const followed = { controller: new AbortController(), turn: initialTurn }
  followedTurns.set(key, followed)
  try {
    await read(followed)
  } catch (error) {
    if (!followed.controller.signal.aborted) throw error
  } finally {
    if (followedTurns.get(key) === followed) followedTurns.delete(key)
  }
}

type Following = {
  /** Key of the following; at most one at a time has it. */
  key: string
  id: string
  query: { chat_id: string; chatbot?: string }
  /** Answers known already. */
  from?: TurnState
}

/** Shows the answers to a turn as they are written, and ends each in its place. */
export const followTurn = (
  store: QuestionStore,
  { key, id, query, from = initialTurn }: Following,
): Promise<void> =>
  follow(key, async (followed) => {
    followed.turn = from
    let shownLanes: TurnState['lanes'] = {}
    let reloadTimer: ReturnType<typeof setTimeout> | undefined
    const end = (lane: string, answer: Message, how: AnswerEnd) => {
      const state = followed.turn.lanes[lane] ?? initialAnswer
      // The whole text is shown from then on.
      store.updateAnswer(id, lane, answer.key, (current) => toEndedMessage(current, state, how))
      setLiveAnswer(answer.id, null)
    }
    const show = (turn: TurnState) => {
      followed.turn = turn
      for (const [lane, answer] of store.listTyping(id, query.chat_id)) {
        const state = turn.lanes[lane]
        if (!state || state === shownLanes[lane]) continue
        const { search } = state
        if (search && search !== shownLanes[lane]?.search)
          store.updateAnswer(id, lane, answer.key, (current) => ({ ...current, search }))
        // An answer without streaming is shown when it is complete.
        if (answer.stream) setLiveAnswer(answer.id, pickLonger(state, answer))
        if (!state.end) continue
        end(lane, answer, state.end)
        if (!turn.isOver) reloadTimer ??= setTimeout(reload, RELOAD_DELAY_MS)
      }
      shownLanes = turn.lanes
    }
    const reload = () => {
      reloadTimer = undefined
      void store.reload(id)
    }
    const { failure } = await readTurn(query, show, followed.controller.signal, from)
    if (failure?.state === 'gone') await store.reload(id)
    if (failure) for (const [lane, answer] of store.listTyping(id, query.chat_id)) end(lane, answer, failure)
    clearTimeout(reloadTimer)
    // Only the server knows the cost, and if the answer can be continued.
    if (failure?.state !== 'gone' && failure?.state !== 'lost') await store.reload(id)
    notifySessionChange(id)
    store.onTurnEnd(id, query.chat_id)
  })

/** The text of an answer without the placeholder for it. */
const getWrittenText = ({ text }: Pick<Message, 'text'>): string => (text === PLACEHOLDER ? '' : text)

/**
 * The longer text and the longer reasoning of the streamed and the loaded answer. A replay starts at the first character: until it
 * has caught up, the loaded text stays.
 */
function pickLonger(live: LiveAnswer, loaded: LiveAnswer): LiveAnswer {
  const loadedText = getWrittenText(loaded)
  return {
    text: live.text.length >= loadedText.length ? live.text : loadedText,
    ...(live.reasoning.length >= loaded.reasoning.length
      ? { reasoning: live.reasoning, reasoning_ms: live.reasoning_ms }
      : { reasoning: loaded.reasoning, reasoning_ms: loaded.reasoning_ms }),
  }
}

/** The answer after its stream has ended. The received text is kept in every case. */
export function toEndedMessage(
  message: Message,
  { text, reasoning, reasoning_ms }: LiveAnswer,
  end: AnswerEnd,
): Message {
  if (message.status !== 'typing') return message
  const receivedMessage = {
    ...message,
    text: text || getWrittenText(message),
    ...(reasoning ? { reasoning, reasoning_ms } : {}),
  }
  if (end.state === 'failed') return { ...receivedMessage, status: 'failed', error: end.message }
  if (end.state === 'done' || end.state === 'cancelled') return { ...receivedMessage, status: end.state }
  return { ...receivedMessage, status: 'interrupted', error: messagesText.lost }
}
