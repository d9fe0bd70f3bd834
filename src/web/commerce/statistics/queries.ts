import { fromNetwork, request, requestRaw } from '#web/core/api.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { keepPreviousData, useQuery } from '#web/core/queryClient.ts'
import { toQuery, type TransactionFilter } from './transactionFilter.ts'

/** Loads a page of the filtered transactions. */
export function useTransactions(filter: TransactionFilter) {
  const query = { ...toQuery(filter), page: filter.page }
  return useQuery({
    queryKey: ['statistics', 'transactions', query],
    queryFn: ({ signal }) => clearUserOn401(request('GET /api/user/transactions', { query }, { signal })),
    placeholderData: keepPreviousData,
  })
}

/** Returns the models and keys that transactions can be filtered by, with their names; usable ones come first. */
export function useFilterChoices() {
  const { data: modelList } = useQuery({
    queryKey: ['statistics', 'models'],
    queryFn: ({ signal }) => request('GET /api/models', { query: {} }, { signal }),
    staleTime: 60_000,
  })
  const { data: ownKeys } = useQuery({
    queryKey: ['statistics', 'keys'],
    queryFn: ({ signal }) => clearUserOn401(request('GET /api/api_keys', {}, { signal })),
  })
  const models = (modelList?.models ?? []).toSorted((a, b) => Number(b.available) - Number(a.available))
  return {
    models: models.map(({ id, name }) => [id, name] as const),
    keys: (ownKeys?.items ?? []).map(({ uuid, name }) => [uuid, name] as const),
  }
}

export const useBill = (id: string) =>
  useQuery({
    queryKey: ['statistics', 'transactions', id],
    queryFn: ({ signal }) =>
      clearUserOn401(request('GET /api/user/transactions/{id}', { params: { id } }, { signal })),
  })

/** Downloads all filtered transactions as a file. Throws ApiError. */
export async function fetchExport(filter: TransactionFilter): Promise<Blob> {
  const query = toQuery(filter)
  const response = await clearUserOn401(requestRaw('GET /api/user/transactions/export', { query }))
  return fromNetwork(response.blob())
}

/** Loads everything that the dashboard shows. */
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
