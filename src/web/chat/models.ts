import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import type { ChatModel } from '#contract/models.ts'
import { request } from '../core/api.ts'
import { conversation, useConversations } from './conversation.ts'
import type { Turn } from './turns.ts'
import { usable } from './usable.ts'

const KEY = 'wenqu.model'
const RECENT_KEY = 'wenqu.models.recent'
const MOST_RECENT = 3

/** A link to `/chat?model=` goes before what was chosen here earlier; one that cannot be used is passed over. */
const linked = location.pathname === '/chat' ? new URLSearchParams(location.search).get('model') : null

/** What was chosen in a conversation after its turn `after`; a turn asked since then has its own word. */
type Chosen = { id: string; after: string }
type Choice = { id: string | null; in: Readonly<Record<string, Chosen>> }
const useChoice = create<Choice>()(() => ({ id: linked ?? localStorage.getItem(KEY), in: {} }))

const lastTurn = (turns: readonly Turn[] = []) => turns.findLast((turn) => !turn.local)

/** Chooses the model of a conversation, if one is named, and of those that are begun from now on. */
export function chooseModel(id: string, conversation_id?: string): void {
  localStorage.setItem(KEY, id)
  useChoice.setState({ id })
  if (conversation_id === undefined) return
  const after = lastTurn(conversation(conversation_id)?.turns)?.chat_id ?? ''
  useChoice.setState((now) => ({ in: { ...now.in, [conversation_id]: { id, after } } }))
}

/** The models that were asked last, the latest first. */
export const recentModels = (): string[] =>
  (localStorage.getItem(RECENT_KEY) ?? '').split('\n').filter(Boolean)

export function noteAsked(id: string): void {
  const recent = [id, ...recentModels().filter((other) => other !== id)].slice(0, MOST_RECENT)
  localStorage.setItem(RECENT_KEY, recent.join('\n'))
}

/** The first of the wished models that can be used, else the first that can. */
export function pickModel(
  models: readonly ChatModel[],
  wishes: readonly (string | null | undefined)[],
  guest: boolean,
): ChatModel | null {
  const can = models.filter((model) => usable(model, guest))
  const wished = wishes.flatMap((id) => can.find((model) => model.id === id) ?? [])
  return wished[0] ?? can[0] ?? null
}

export type Models = ReturnType<typeof useModels>

/**
 * The chat models, and the one that the next question of a conversation goes to: what was chosen there, else what it asked
 * last, else what was chosen anywhere last.
 */
export function useModels(guest: boolean, conversation_id: string) {
  const choice = useChoice((state) => state.id)
  const here = useChoice((state) => state.in[conversation_id])
  const last = useConversations((state) => lastTurn(state.byId[conversation_id]?.turns))
  const query = useQuery({
    queryKey: ['chat', 'models'],
    queryFn: ({ signal }) => request('GET /api/chat/models', {}, { signal }),
    staleTime: 60_000,
  })
  const models = query.data?.models ?? []
  const chosen = here?.after === (last?.chat_id ?? '') ? here.id : null
  const wishes = [chosen, last?.model, choice, query.data?.default_model]
  return { models, model: pickModel(models, wishes, guest), query }
}
