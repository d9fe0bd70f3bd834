import type { statsCalls } from '#contract/stats.ts'
import type { Handlers } from '#server/core/http.ts'
import type { Stats } from './stats.ts'

export const statsRoutes = (stats: Stats): Handlers<typeof statsCalls> => ({
  'GET /api/stats': async () => stats.getPublic(),
})
