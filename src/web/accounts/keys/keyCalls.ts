import type { AllCalls } from '#contract/calls.ts'
import type { CallKey, CallRequest } from '#contract/call.ts'
import { request } from '#web/core/api.ts'
import { queryClient, useQuery } from '#web/core/queryClient.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { keysText, provisionText } from '#web/text/keys.ts'

type RequestBodyOf<K extends keyof AllCalls & CallKey> =
  CallRequest<AllCalls[K]> extends { body?: infer B } ? NonNullable<B> : never
export type ApiKeyBody = RequestBodyOf<'POST /api/api_keys'>
export type ProvisionKeyBody = RequestBodyOf<'POST /api/provision_keys'>

/** Fields common to both kinds of keys. `raw_value`, the whole value, is known only right after it was given. */
export type AnyKey = { uuid: string; name: string; value: string; raw_value: string | null; status: boolean }

const apiKeysQueryKey = ['api_keys'] as const
const provisionKeysQueryKey = ['provision_keys'] as const

/** All API keys of the signed-in user, newest first. */
export const useApiKeys = () =>
  useQuery({
    queryKey: apiKeysQueryKey,
    queryFn: ({ signal }) => clearUserOn401(request('GET /api/api_keys', {}, { signal })),
  })

export const useProvisionKeys = () =>
  useQuery({
    queryKey: provisionKeysQueryKey,
    queryFn: ({ signal }) => clearUserOn401(request('GET /api/provision_keys', {}, { signal })),
  })

export const useKeyUsage = (id: string) =>
  useQuery({
    queryKey: [...apiKeysQueryKey, id, 'usage'],
    queryFn: ({ signal }) =>
      clearUserOn401(request('GET /api/api_keys/{id}/usage', { params: { id } }, { signal })),
    staleTime: 0,
  })

/** To be called after a change. */
export const invalidateApiKeys = () => queryClient.invalidateQueries({ queryKey: apiKeysQueryKey })
export const invalidateProvisionKeys = () =>
  queryClient.invalidateQueries({ queryKey: provisionKeysQueryKey })

const toParams = ({ uuid }: AnyKey) => ({ params: { id: uuid } })

const apiKeyFailures = {
  create: { failed: keysText.createFailed },
  update: { failed: keysText.updateFailed },
  remove: { failed: keysText.removeFailed },
}

/** Calls for API keys; the answers of `create` and `rotate` hold the whole value. They throw ApiError. */
export const apiKeyCalls = {
  create: (body: ApiKeyBody) =>
    clearUserOn401(request('POST /api/api_keys', { body }, apiKeyFailures.create)),
  update: (key: AnyKey, body: Partial<ApiKeyBody>) =>
    clearUserOn401(request('PUT /api/api_keys/{id}', { ...toParams(key), body }, apiKeyFailures.update)),
  setStatus: (key: AnyKey, status: boolean) =>
    clearUserOn401(
      request(
        'PATCH /api/api_keys/{id}/status',
        { ...toParams(key), body: { status } },
        apiKeyFailures.update,
      ),
    ),
  rotate: (key: AnyKey) =>
    clearUserOn401(request('POST /api/api_keys/{id}/rotate', toParams(key), apiKeyFailures.update)),
  remove: (key: AnyKey) =>
    clearUserOn401(request('DELETE /api/api_keys/{id}', toParams(key), apiKeyFailures.remove)),
}

const provisionKeyFailures = {
  create: { failed: provisionText.createFailed },
  update: { failed: provisionText.updateFailed },
  remove: { failed: provisionText.removeFailed },
}

/** Calls for provision keys, whose value is never replaced. They throw ApiError. */
export const provisionKeyCalls = {
  create: (body: ProvisionKeyBody) =>
    clearUserOn401(request('POST /api/provision_keys', { body }, provisionKeyFailures.create)),
  update: (key: AnyKey, body: Partial<ProvisionKeyBody>) =>
    clearUserOn401(
      request('PUT /api/provision_keys/{id}', { ...toParams(key), body }, provisionKeyFailures.update),
    ),
  setStatus: (key: AnyKey, status: boolean) =>
    clearUserOn401(
      request(
        'PATCH /api/provision_keys/{id}/status',
        { ...toParams(key), body: { status } },
        provisionKeyFailures.update,
      ),
    ),
  remove: (key: AnyKey) =>
    clearUserOn401(request('DELETE /api/provision_keys/{id}', toParams(key), provisionKeyFailures.remove)),
}
