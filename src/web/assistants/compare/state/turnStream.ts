import type { TurnStreamEvent } from '#contract/chat.ts'
import {
  applyParsedEvent,
  initialStreamState,
  toLastEventId,
  type StreamState,
} from '#web/conversations/conversations.ts'

/** Progress of a turn's stream: the answers by model; `isOver` when all have ended. */
export type TurnStream = { byModel: Readonly<Record<string, StreamState>>; isOver: boolean }

export const initialTurnStream: TurnStream = { byModel: {}, isOver: false }

/** Applies one event of a turn with several answers to the model that the event names. */
export function applyTurnEvent(
  before: TurnStream,
  { id = '', data }: { id?: string | undefined; data: string },
): TurnStream {
  if (before.isOver) return before
  if (data === '[DONE]') {
    const endedEntries = Object.entries(before.byModel).map(([model, state]) => [
      model,
      { ...state, end: state.end ?? { state: 'done' as const } },
    ])
    return { byModel: Object.fromEntries(endedEntries) as TurnStream['byModel'], isOver: true }
  }
  const event = JSON.parse(data) as TurnStreamEvent
  const current = before.byModel[event.model] ?? initialStreamState
  const next = applyParsedEvent(current, id, event)
  return next === current ? before : { ...before, byModel: { ...before.byModel, [event.model]: next } }
}

/** The value of Last-Event-ID: the position of each answer in progress; null at the start. */
export function toLastEventIds({ byModel }: TurnStream): string | null {
  const ids = Object.values(byModel).flatMap((state) => toLastEventId(state) ?? [])
  return ids.length ? ids.join(',') : null
}

/** The stream without the text of these models, which begin again. */
export function restartModels({ byModel }: TurnStream, models: readonly string[]): TurnStream {
  const others = Object.entries(byModel).filter(([model]) => !models.includes(model))
  return { byModel: Object.fromEntries(others), isOver: false }
}
