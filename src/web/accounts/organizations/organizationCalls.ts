import type { CallRequest } from '#contract/call.ts'
import type { organizationCalls } from '#contract/organizations/organizations.ts'
import { fromNetwork, request, requestRaw } from '#web/core/api.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { keepPreviousData, queryClient, useQuery } from '#web/core/queryClient.ts'
import { refreshUser, userQueryKey } from '#web/core/user.ts'
import { organizationText as text } from '#web/text/account/organization.ts'

type Calls = typeof organizationCalls
type Body<K extends keyof Calls> = NonNullable<(CallRequest<Calls[K]> & { body?: unknown })['body']>

const key = ['organization'] as const
const toParams = (id: string) => ({ params: { id } })

export const useOrganization = (id: string) =>
  useQuery({
    queryKey: [...key, id],
    queryFn: ({ signal }) => clearUserOn401(request('GET /api/organization/{id}', toParams(id), { signal })),
  })

export const useMembers = (id: string) =>
  useQuery({
    queryKey: [...key, id, 'members'],
    queryFn: ({ signal }) =>
      clearUserOn401(request('GET /api/organization/{id}/members', toParams(id), { signal })),
  })

export const useInvitations = (id: string) =>
  useQuery({
    queryKey: [...key, id, 'invitations'],
    queryFn: ({ signal }) =>
      clearUserOn401(request('GET /api/organization/{id}/invitations', toParams(id), { signal })),
  })

export const useBills = (id: string, page: number) =>
  useQuery({
    queryKey: [...key, id, 'bills', page],
    queryFn: ({ signal }) =>
      clearUserOn401(
        request('GET /api/organization/{id}/bills', { ...toParams(id), query: { page } }, { signal }),
      ),
    placeholderData: keepPreviousData,
  })

/** Downloads all bills as a file. Throws ApiError. */
export async function fetchBills(id: string): Promise<Blob> {
  const response = await clearUserOn401(requestRaw('GET /api/organization/{id}/bills/export', toParams(id)))
  return fromNetwork(response.blob())
}

/** Loads the invitation behind a link. */
export const useReceivedInvitation = (token: string) =>
  useQuery({
    queryKey: ['receivedInvitation', token],
    queryFn: ({ signal }) =>
      clearUserOn401(request('POST /api/organization/invitation', { body: { token } }, { signal })),
  })

/** Makes a call, then reloads organization and user. */
async function change<T>(call: Promise<T>): Promise<T> {
  const result = await clearUserOn401(call)
  refreshUser()
  // The user first: it tells whether there still is an organization to load.
  await queryClient.invalidateQueries({ queryKey: userQueryKey })
  await queryClient.invalidateQueries({ queryKey: key })
  return result
}

/** Each throws ApiError. */
export const organizationActions = {
  create: (body: Body<'POST /api/organization'>) =>
    change(request('POST /api/organization', { body }, { failed: text.createFailed })),
  update: (id: string, body: Body<'PUT /api/organization/{id}'>) =>
    change(request('PUT /api/organization/{id}', { ...toParams(id), body }, { failed: text.saveFailed })),
  dissolve: (id: string, name: string) =>
    change(
      request(
        'DELETE /api/organization/{id}',
        { ...toParams(id), body: { name } },
        { failed: text.dissolveFailed },
      ),
    ),
  deposit: (id: string, coins: number) =>
    change(
      request(
        'POST /api/organization/{id}/deposit',
        { ...toParams(id), body: { coins } },
        { failed: text.depositFailed },
      ),
    ),
  /** After a failure some people may have been invited, as the message says. */
  invite: (id: string, emails: string[]) =>
    change(
      request(
        'POST /api/organization/{id}/members/invite',
        { ...toParams(id), body: { emails } },
        { failed: text.inviteFailed },
      ),
    ).catch(async (error: unknown) => {
      await queryClient.invalidateQueries({ queryKey: key })
      throw error
    }),
  withdraw: (id: string, invitationId: string) =>
    change(
      request(
        'DELETE /api/organization/{id}/invitations/{invitationId}',
        { params: { id, invitationId } },
        { failed: text.withdrawFailed },
      ),
    ),
  accept: (token: string) =>
    change(
      request('POST /api/organization/invitation/accept', { body: { token } }, { failed: text.acceptFailed }),
    ),
  updateMember: (id: string, userId: string, body: Body<'PUT /api/organization/{id}/members/{userId}'>) =>
    change(
      request(
        'PUT /api/organization/{id}/members/{userId}',
        { params: { id, userId }, body },
        { failed: text.saveFailed },
      ),
    ),
  remove: (id: string, userId: string) =>
    change(
      request(
        'DELETE /api/organization/{id}/members/{userId}',
        { params: { id, userId } },
        { failed: text.removeFailed },
      ),
    ),
  setPayer: (payer: 'self' | 'organization') =>
    change(request('PUT /api/user/payer', { body: { payer } }, { failed: text.payerFailed })),
}
