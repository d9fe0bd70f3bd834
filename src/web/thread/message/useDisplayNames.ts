import { request } from '#web/core/api.ts'
import { useDeferredQuery } from '#web/core/deferredQuery.ts'
import { useModelNames } from '#web/model-picker/model-picker.tsx'

/** What people call a model and a platform; their ids until that is known, and where it is not. */
export function useDisplayNames(): { model: (id: string) => string; platform: (name: string) => string } {
  const models = useModelNames()
  const platforms = useDeferredQuery({
    queryKey: ['platforms'],
    queryFn: ({ signal }) => request('GET /api/platforms', {}, { signal }),
    staleTime: Infinity,
  })
  return {
    model: (id) => models.find((model) => model.id === id)?.name ?? id,
    platform: (name) => platforms.data?.platforms.find((one) => one.name === name)?.alias ?? name,
  }
}
