import { MAX_MEMBERS } from '#contract/organizations/limits.ts'
import type { organizationCalls } from '#contract/organizations/organizations.ts'
import { toCsvResponse } from '#server/core/csv.ts'
import type { Handlers } from '#server/core/http.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import type { Organizations } from './organizations.ts'

/** Wraps a complete list as the only page of the paged response. */
const toSinglePage = <T>(items: T[], url: string) =>
  toPageResponse(items, { total: items.length, page: 1, size: MAX_MEMBERS, url, query: {} })

export const organizationRoutes = (organizations: Organizations): Handlers<typeof organizationCalls> => ({
  'POST /api/organization': ({ body }, { visitor }) => organizations.create(visitor.user_id, body),
  'POST /api/organization/invitation': ({ body }) => organizations.getInvitation(body.token),
  'POST /api/organization/invitation/accept': ({ body }, { visitor }) =>
    organizations.acceptInvitation(visitor.user_id, body.token),
  'GET /api/organization/{id}': ({ params }, { visitor }) => organizations.get(visitor.user_id, params.id),
  'PUT /api/organization/{id}': ({ params, body }, { visitor }) =>
    organizations.update(visitor.user_id, params.id, body),
  'DELETE /api/organization/{id}': ({ params, body }, { visitor }) =>
    organizations.dissolve(visitor.user_id, params.id, body.name),
  'POST /api/organization/{id}/deposit': ({ params, body }, { visitor }) =>
    organizations.deposit(visitor.user_id, params.id, body.coins),
  'GET /api/organization/{id}/bills': async ({ params: { id }, query }, { visitor }) => {
    const { items, total } = await organizations.listBills(visitor.user_id, id, query)
    const { page, page_size: size } = query
    const url = `/api/organization/${id}/bills`
    return toPageResponse(items, { total, page, size, url, query: {}, size_name: 'page_size' })
  },
  'GET /api/organization/{id}/bills/export': async ({ params }, { visitor }) =>
    toCsvResponse(await organizations.exportBills(visitor.user_id, params.id), 'wenqu-organization.csv'),
  'GET /api/organization/{id}/members': async ({ params: { id } }, { visitor }) =>
    toSinglePage(await organizations.listMembers(visitor.user_id, id), `/api/organization/${id}/members`),
  'POST /api/organization/{id}/members/invite': async ({ params, body }, { visitor, client }) => {
    await organizations.invite(visitor.user_id, params.id, body.emails, client)
    return { message: '所有邀请发送成功' }
  },
  'PUT /api/organization/{id}/members/{userId}': ({ params: { id, userId }, body }, { visitor }) =>
    organizations.updateMember(visitor.user_id, { id, user_id: userId }, body),
  'DELETE /api/organization/{id}/members/{userId}': async ({ params: { id, userId } }, { visitor }) => {
    await organizations.removeMember(visitor.user_id, { id, user_id: userId })
    return undefined
  },
  'GET /api/organization/{id}/invitations': async ({ params: { id } }, { visitor }) =>
    toSinglePage(
      await organizations.listInvitations(visitor.user_id, id),
      `/api/organization/${id}/invitations`,
    ),
  'DELETE /api/organization/{id}/invitations/{invitationId}': async ({ params }, { visitor }) => {
    await organizations.withdrawInvitation(visitor.user_id, params.id, params.invitationId)
    return undefined
  },
  'POST /invitations/refusal/{token}': async ({ params }) => {
    await organizations.refusals.refuse(params.token)
    return undefined
  },
  'DELETE /invitations/refusal/{token}': async ({ params }) => {
    await organizations.refusals.allow(params.token)
    return undefined
  },
  'PUT /api/user/payer': async ({ body: { payer } }, { visitor }) => {
    await organizations.setPays(visitor.user_id, payer === 'organization')
    return { payer }
  },
})
