import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import type { ChatModel } from '#contract/models.ts'
import { request } from '../core/api.ts'

const KEY = 'wenqu.model'

/** A link to `/chat?model=` goes before what was chosen here earlier; one that cannot be used is passed over. */
const linked = location.pathname === '/chat' ? new URLSearchParams(location.search).get('model') : null

const useChoice = create<{ id: string | null }>()(() => ({ id: linked ?? localStorage.getItem(KEY) }))

export function chooseModel(id: string): void {
  localStorage.setItem(KEY, id)
  useChoice.setState({ id })
}

/** Whether this visitor may ask this model now. */
export const usable = (model: ChatModel, guest: boolean): boolean =>
  model.available && (model.guest || !guest)

/** The chosen model as long as it can be used, else the default, else the first that can. */
export function pickModel(
  models: readonly ChatModel[],
  { choice, fallback, guest }: { choice: string | null; fallback: string; guest: boolean },
): ChatModel | null {
  const can = models.filter((model) => usable(model, guest))
  return (
    can.find((model) => model.id === choice) ?? can.find((model) => model.id === fallback) ?? can[0] ?? null
  )
}

/** The chat models, and the one that the next question goes to. */
export function useModels(guest: boolean) {
  const choice = useChoice((state) => state.id)
  const query = useQuery({
    queryKey: ['chat', 'models'],
    queryFn: ({ signal }) => request('GET /api/chat/models', {}, { signal }),
    staleTime: 60_000,
  })
  const models = query.data?.models ?? []
  const fallback = query.data?.default_model ?? ''
  return { models, model: pickModel(models, { choice, fallback, guest }), query }
}
