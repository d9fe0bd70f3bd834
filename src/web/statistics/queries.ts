import type { Transaction } from '#contract/statistics/statistics.ts'
import { fromNetwork, request, requestRaw } from '#web/core/api.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { keepPreviousData, useQuery } from '#web/core/queryClient.ts'

/** What of the transactions is shown; empty is everything. */
export type Filter = {
  action: Transaction['action'] | ''
  channel: NonNullable<Transaction['channel']> | ''
  timeRange: 'today' | 'week' | 'month' | 'year' | ''
}
export const noFilter: Filter = { action: '', channel: '', timeRange: '' }

const toQuery = ({ action, channel, timeRange }: Filter) => ({
  ...(action && { action }),
  ...(channel && { channel }),
  ...(timeRange && { timeRange }),
})

export const useTransactions = (filter: Filter, page: number) =>
  useQuery({
    queryKey: ['statistics', 'transactions', filter, page],
    queryFn: ({ signal }) =>
      clearUserOn401(
        request('GET /api/user/transactions', { query: { ...toQuery(filter), page } }, { signal }),
      ),
    placeholderData: keepPreviousData,
  })

export const useBill = (id: string) =>
  useQuery({
    queryKey: ['statistics', 'transactions', id],
    queryFn: ({ signal }) =>
      clearUserOn401(request('GET /api/user/transactions/{id}', { params: { id } }, { signal })),
  })

/** The file of all transactions that a filter leaves. Throws ApiError. */
export async function fetchExport(filter: Filter): Promise<Blob> {
  const query = toQuery(filter)
  const response = await clearUserOn401(requestRaw('GET /api/user/transactions/export', { query }))
  return fromNetwork(response.blob())
}

/** Everything that the dashboard shows. */
export const useDashboard = () =>
  useQuery({
    queryKey: ['statistics', 'dashboard'],
    queryFn: async ({ signal }) => {
      const load = { signal }
      const [chats, amounts, models, charges, tokens] = await clearUserOn401(
        Promise.all([
          request('GET /api/user/chat_stats', {}, load),
          request('GET /api/user/amount_stats', {}, load),
          request('GET /api/user/model_amounts', {}, load),
          request('GET /api/user/charge_amounts', {}, load),
          request('GET /api/user/chat_tokens', {}, load),
        ]),
      )
      return { chats, amounts, models: models.items, charges: charges.items, tokens: tokens.items }
    },
  })

export const useBalance = () =>
  useQuery({
    queryKey: ['statistics', 'balance'],
    queryFn: ({ signal }) =>
      clearUserOn401(
        request('GET /api/user/balance/{platform}', { params: { platform: 'all' } }, { signal }),
      ),
  })
