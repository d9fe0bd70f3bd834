import { queryClient, useQuery } from '#web/core/queryClient.ts'
import { request } from '../core/api.ts'

const apiKeysQueryKey = ['api_keys'] as const
const provisionKeysQueryKey = ['provision_keys'] as const

/** All API keys of the signed-in user, newest first. Use changes figures while people look. */
export const useApiKeys = (signedIn: boolean) =>
  useQuery({
    queryKey: apiKeysQueryKey,
    queryFn: ({ signal }) => request('GET /api/api_keys', {}, { signal }),
    enabled: signedIn,
  })

/** All provision keys of the signed-in user, newest first. */
export const useProvisionKeys = (signedIn: boolean) =>
  useQuery({
    queryKey: provisionKeysQueryKey,
    queryFn: ({ signal }) => request('GET /api/provision_keys', {}, { signal }),
    enabled: signedIn,
  })

export const useKeyUsage = (id: string) =>
  useQuery({
    queryKey: [...apiKeysQueryKey, id, 'usage'],
    queryFn: ({ signal }) => request('GET /api/api_keys/{id}/usage', { params: { id } }, { signal }),
    staleTime: 0,
  })

/** To be called after a change. */
export const invalidateApiKeys = () => queryClient.invalidateQueries({ queryKey: apiKeysQueryKey })
export const invalidateProvisionKeys = () =>
  queryClient.invalidateQueries({ queryKey: provisionKeysQueryKey })
