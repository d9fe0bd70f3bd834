import { ApiError, fromNetwork } from '#web/core/api.ts'
import { useQuery } from '#web/core/queryClient.ts'
import type { OpenApi } from './openapi.ts'

export const OPENAPI_URL = '/api/openapi.json'

/** The document describes the calls of the contract and is none of them, so it is fetched directly. */
async function fetchOpenApi({ signal }: { signal: AbortSignal }): Promise<OpenApi> {
  const response = await fromNetwork(fetch(OPENAPI_URL, { signal }), { signal })
  if (!response.ok) throw new ApiError(response.status, {})
  return (await fromNetwork(response.json(), { signal })) as OpenApi
}

export const useOpenApi = () =>
  useQuery({ queryKey: ['openapi'], queryFn: fetchOpenApi, staleTime: Infinity })
