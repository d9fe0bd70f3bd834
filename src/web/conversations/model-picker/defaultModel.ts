import { request } from '#web/core/api.ts'
import { queryClient } from '#web/core/queryClient.ts'
import { userQueryKey } from '#web/core/user.ts'
import { modelsText } from '#web/text/models.ts'
import { withToast } from '#web/ui/withToast.ts'

/** Makes this model the default for the person's new conversations everywhere. Returns false on failure. */
export async function saveDefaultModel({ id, name }: { id: string; name: string }): Promise<boolean> {
  const options = { failed: modelsText.makeDefaultFailed }
  const run = () => request('PUT /api/user/model', { body: { model: id } }, options)
  if ((await withToast(run, { done: modelsText.madeDefault(name) })) === null) return false
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: userQueryKey }),
    queryClient.invalidateQueries({ queryKey: ['chat', 'models'] }),
  ])
  return true
}
