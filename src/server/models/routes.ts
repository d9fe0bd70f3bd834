import type { modelCalls } from '#contract/models.ts'
import type { Handlers } from '../core/http.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import type { Users } from '../users/users.ts'
import type { Models } from './models.ts'

export const modelRoutes = (
  models: Models,
  catalogue: Catalogue,
  users: Users,
): Handlers<typeof modelCalls> => ({
  'GET /api/chat/models': async (_, { visitor }) => {
    const list = catalogue.chatModels()
    const chosen = visitor && (await users.choices(visitor.user_id)).model
    const usable = list.some(({ id, available }) => id === chosen && available)
    const default_model =
      usable && chosen ? chosen : catalogue.default_model({ guest: !visitor || visitor.guest })
    return { models: list, default_model }
  },
  'GET /api/chat/models/{model}': async ({ params }) => models.card(params.model),
  'GET /api/models': async () => ({ models: models.list() }),
  'GET /api/platforms': async () => ({ platforms: models.platforms() }),
  'POST /api/token/costs': async ({ body }) =>
    models.costs(body.model, {
      input: body.input_tokens,
      output: body.output_tokens,
      times: body.times,
    }),
})
