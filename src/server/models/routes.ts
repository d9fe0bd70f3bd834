import type { modelCalls } from '#contract/models.ts'
import type { Handlers } from '../core/http.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import type { Models } from './models.ts'

export const modelRoutes = (models: Models, catalogue: Catalogue): Handlers<typeof modelCalls> => ({
  'GET /api/chat/models': async (_, { visitor }) => ({
    models: catalogue.chatModels(),
    default_model: catalogue.default_model({ guest: !visitor || visitor.guest }),
  }),
  'GET /api/chat/models/{model}': async ({ params }) => models.card(params.model),
  'GET /api/models': async () => ({ models: models.list() }),
  'GET /api/platforms': async () => ({ platforms: models.platforms() }),
  'POST /api/token/costs': async ({ body }) =>
    models.costs(body.model, { input: body.input_tokens, output: body.output_tokens }),
})
