import { request } from '#web/core/api.ts'
import { useDeferredQuery } from '#web/core/deferredQuery.ts'
import { modelsQuery } from './modelChoice.tsx'

/** Returns the display names of chat models, also of unusable ones; the id if no name is known, and until names are loaded. */
export function useModelName(): (id: string) => string {
  const models = useDeferredQuery(modelsQuery).data?.models
  return (id) => models?.find((model) => model.id === id)?.name ?? id
}

/** Returns the display names of platforms; the internal name if none is known, and until they are loaded. */
export function usePlatformName(): (name: string) => string {
  const { data } = useDeferredQuery({
    queryKey: ['platforms'],
    queryFn: ({ signal }) => request('GET /api/platforms', {}, { signal }),
    staleTime: Infinity,
  })
  return (name) => data?.platforms.find((one) => one.name === name)?.alias ?? name
}
