import type { ModelCard } from '#contract/models.ts'
import { request } from '#web/core/api.ts'
import { queryClient } from '#web/core/queryClient.ts'
import { userQueryKey } from '#web/core/user.ts'
import { chooseModel } from '#web/model-picker/model-picker.tsx'
import { modelsText } from '#web/text/models.ts'
import { withToast } from '#web/ui/withToast.ts'

/** Makes a model the one that new conversations begin with, and says how that went. */
export async function makeDefault({ id, name }: Pick<ModelCard, 'id' | 'name'>): Promise<void> {
  const options = { failed: modelsText.makeDefaultFailed }
  const run = () => request('PUT /api/user/model', { body: { model: id } }, options)
  if ((await withToast(run, { done: modelsText.madeDefault(name) })) === null) return
  // An earlier choice of this browser would go before the default.
  chooseModel(id)
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: userQueryKey }),
    queryClient.invalidateQueries({ queryKey: ['chat', 'models'] }),
  ])
}
