import type { modelCalls } from '#contract/models.ts'
import type { Handlers } from '../core/http.ts'
import type { Catalogue } from '../llm/catalogue.ts'

export const modelRoutes = (catalogue: Catalogue): Handlers<typeof modelCalls> => ({
  'GET /api/chat/models': async (_, { visitor }) => ({
    models: catalogue.chatModels(),
    default_model: catalogue.default_model({ guest: !visitor || visitor.guest }),
  }),
})
