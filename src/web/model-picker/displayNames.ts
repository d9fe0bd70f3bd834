import { request } from '#web/core/api.ts'
import { useDeferredQuery } from '#web/core/deferredQuery.ts'
import { modelsQuery } from './modelChoice.tsx'

/** What people call a chat model, also one that cannot be used any more; its id until that is known, and where it is not. */
export function useModelName(): (id: string) => string {
  const models = useDeferredQuery(modelsQuery).data?.models
  return (id) => models?.find((model) => model.id === id)?.name ?? id
}

/** What people call a platform; its name until that is known, and where it is not. */
export function usePlatformName(): (name: string) => string {
  const { data } = useDeferredQuery({
    queryKey: ['platforms'],
    queryFn: ({ signal }) => request('GET /api/platforms', {}, { signal }),
    staleTime: Infinity,
  })
  return (name) => data?.platforms.find((one) => one.name === name)?.alias ?? name
}
