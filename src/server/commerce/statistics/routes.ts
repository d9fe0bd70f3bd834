import type { statisticsCalls } from '#contract/statistics/statistics.ts'
import { toCsvResponse } from '#server/core/csv.ts'
import type { Handlers } from '#server/core/http.ts'
import type { Statistics } from './statistics.ts'

export const statisticsRoutes = (statistics: Statistics): Handlers<typeof statisticsCalls> => ({
  'GET /api/user/transactions': ({ query }, { visitor }) =>
    statistics.getTransactions(visitor.user_id, query),
  'GET /api/user/transactions/export': async ({ query }, { visitor }) =>
    toCsvResponse(await statistics.exportTransactions(visitor.user_id, query), 'transactions.csv'),
  'GET /api/user/transactions/{id}': ({ params }, { visitor }) =>
    statistics.getTransaction(visitor.user_id, params.id),
  'GET /api/user/chat_stats': (_, { visitor }) => statistics.getChatStats(visitor.user_id),
  'GET /api/user/amount_stats': (_, { visitor }) => statistics.getAmountStats(visitor.user_id),
  'GET /api/user/model_amounts': async (_, { visitor }) => ({
    items: await statistics.listModelAmounts(visitor.user_id),
  }),
  'GET /api/user/charge_amounts': async (_, { visitor }) => ({
    items: await statistics.listChargeAmounts(visitor.user_id),
  }),
  'GET /api/user/chat_tokens': async (_, { visitor }) => ({
    items: await statistics.listChatTokens(visitor.user_id),
  }),
  'GET /api/user/balance/{platform}': ({ params }, { visitor }) =>
    statistics.getBalance(visitor.user_id, params.platform),
})
