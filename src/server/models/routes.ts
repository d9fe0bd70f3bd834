import type { modelCalls } from '#contract/models.ts'
import type { Handlers } from '#server/core/http.ts'
import { canUseModel } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import type { Users } from '#server/accounts/users/users.ts'
import type { Models } from './models.ts'

export const modelRoutes = (
  models: Models,
  catalogue: Catalogue,
  users: Users,
): Handlers<typeof modelCalls> => ({
  'GET /api/chat/models': async (_, { visitor }) => {
    const chatModels = catalogue.listChatModels()
    const preferred = visitor && (await users.getPreferences(visitor.user_id)).model
    const defaultModel =
      preferred && canUseModel(catalogue, preferred, { type: 'chat' })
        ? preferred
        : catalogue.getDefaultModel({ guest: !visitor || visitor.guest })
    return { models: chatModels, default_model: defaultModel }
  },
  'GET /api/chat/models/{model}': async ({ params }) => models.getCard(params.model),
  'GET /api/models': async () => ({ models: models.list() }),
  'GET /api/platforms': async () => ({ platforms: models.platforms() }),
  'POST /api/token/costs': async ({ body }) =>
    models.getCosts(body.model, body.type, {
      input: body.input_tokens,
      output: body.output_tokens,
      times: body.times,
    }),
})
