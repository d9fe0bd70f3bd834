import { expect, test } from 'vitest'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { getInvitationToken, join } from './organization.ts'

// Plain members invite others, and remove the people whom they invited.

const world = useOwnWorld()

const invite = (client: Client, id: string, emails: string[]) =>
  client.call('POST /api/organization/{id}/members/invite', { params: { id }, body: { emails } })
const accept = (client: Client, token: string) =>
  client.call('POST /api/organization/invitation/accept', { body: { token } })
const update = (client: Client, id: string, body: { name?: string; members_can_invite?: boolean }) =>
  client.call('PUT /api/organization/{id}', { params: { id }, body })
const updateMember = (
  client: Client,
  id: string,
  userId: string,
  body: { role?: 'admin'; credit_limit?: number },
) => client.call('PUT /api/organization/{id}/members/{userId}', { params: { id, userId }, body })
const remove = (client: Client, id: string, userId: string) =>
  client.call('DELETE /api/organization/{id}/members/{userId}', { params: { id, userId } })
const listMembers = async (client: Client, id: string) =>
  (await client.call('GET /api/organization/{id}/members', { params: { id } })).items
const listInvitations = async (client: Client, id: string) =>
  (await client.call('GET /api/organization/{id}/invitations', { params: { id } })).items
const withdraw = (client: Client, id: string, invitationId: string) =>
  client.call('DELETE /api/organization/{id}/invitations/{invitationId}', { params: { id, invitationId } })
const codeOf = async (call: Promise<unknown>) => (await expectCallError(call)).body.code
const getId = async (client: Client) => (await client.call('GET /api/user/info', {})).uuid
const listMessages = async (client: Client) =>
  (await client.call('GET /api/user/messages', { query: { channel: 'organization' } })).items

/** Creates an organization with an owner, and two members whom the owner invited. */
async function createTeam() {
  const [owner, member, other] = [await world.user(), await world.user(), await world.user()]
  const { uuid: id } = await owner.call('POST /api/organization', { body: { name: '星河工作室' } })
  const memberId = await join(world, owner, id, member)
  const otherId = await join(world, owner, id, other)
  return { id, owner, member, other, owner_id: await getId(owner), member_id: memberId, other_id: otherId }
}

test('a member invites, and removes whom the member invited and nobody else', async () => {
  const { id, owner, member, other, owner_id, member_id, other_id } = await createTeam()
  const guest = await world.user()
  const guestId = await join(world, member, id, guest)
  const invitedBy = (await listMembers(other, id)).map((one) => [one.user_id, one.invited_by])
  expect(Object.fromEntries(invitedBy)).toEqual({
    [owner_id]: null,
    [member_id]: owner_id,
    [other_id]: owner_id,
    [guestId]: member_id,
  })
  const { name } = await member.call('GET /api/user/info', {})
  expect((await listMessages(owner))[0]!.text).toContain(`接受了${name}的邀请`)
  expect((await listMessages(member))[0]!.text).toContain('接受了你的邀请')

  const forbidden = [
    remove(member, id, other_id),
    remove(member, id, owner_id),
    remove(other, id, guestId),
    remove(guest, id, member_id),
    updateMember(member, id, guestId, { credit_limit: 1 }),
  ]
  expect(new Set(await Promise.all(forbidden.map(codeOf)))).toEqual(new Set(['forbidden']))
  await remove(member, id, guestId)
  expect((await guest.call('GET /api/user/info', {})).organization).toBeNull()
  await remove(other, id, other_id)
  expect(await listMembers(owner, id)).toHaveLength(2)

  // A member with a role is beyond the inviter's reach.
  const admin = await world.user()
  const adminId = await join(world, member, id, admin)
  await updateMember(owner, id, adminId, { role: 'admin' })
  expect(await codeOf(remove(member, id, adminId))).toBe('forbidden')
})

test('the owner closes inviting and removing to members, and nobody else does', async () => {
  const { id, owner, member, other_id } = await createTeam()
  const guestId = await join(world, member, id, await world.user())
  await updateMember(owner, id, other_id, { role: 'admin' })
  expect(await codeOf(update(member, id, { members_can_invite: false }))).toBe('forbidden')
  const admin = await world.user()
  const adminId = await join(world, owner, id, admin)
  await updateMember(owner, id, adminId, { role: 'admin' })
  expect(await codeOf(update(admin, id, { name: '别的', members_can_invite: false }))).toBe('forbidden')
  expect(await update(admin, id, { name: '新名字', members_can_invite: true })).toMatchObject({
    members_can_invite: true,
  })

  await invite(member, id, ['sent@closed.example'])
  expect(await update(owner, id, { members_can_invite: false })).toMatchObject({ members_can_invite: false })
  expect(await member.call('GET /api/organization/{id}', { params: { id } })).toMatchObject({
    name: '新名字',
    members_can_invite: false,
  })
  const refused = await expectCallError(invite(member, id, ['a@closed.example']))
  expect(refused.body).toMatchObject({ code: 'forbidden', message: '只有组织的所有者与管理员可以邀请成员' })
  expect(await codeOf(remove(member, id, guestId))).toBe('forbidden')
  // An earlier invitation can be taken back, also by its sender.
  const [sent] = await listInvitations(member, id)
  await withdraw(member, id, sent!.id)
  await invite(admin, id, ['a@closed.example'])
  await remove(admin, id, guestId)

  await update(owner, id, { members_can_invite: true })
  await invite(member, id, ['b@closed.example'])
})

test('a member sees, withdraws and replaces the invitations of its own, which end when the member goes', async () => {
  const { id, owner, member, other, member_id } = await createTeam()
  await invite(owner, id, ['shared@own.example'])
  const first = await getInvitationToken(world, 'shared@own.example')
  await invite(member, id, ['shared@own.example', 'mine@own.example'])
  const emailsOf = async (client: Client) => (await listInvitations(client, id)).map(({ email }) => email)
  expect((await emailsOf(member)).sort()).toEqual(['mine@own.example', 'shared@own.example'])
  expect(await emailsOf(other)).toEqual([])
  expect(await emailsOf(owner)).toHaveLength(3)
  const all = await listInvitations(owner, id)
  const own = new Set((await listInvitations(member, id)).map((one) => one.id))
  const owners = all.find((one) => !own.has(one.id))!
  expect(await codeOf(withdraw(member, id, owners.id))).toBe('not_found')
  const mine = (await listInvitations(member, id)).find(({ email }) => email === 'mine@own.example')!
  expect(await codeOf(withdraw(other, id, mine.id))).toBe('not_found')
  await withdraw(member, id, mine.id)
  expect(await emailsOf(member)).toEqual(['shared@own.example'])

  const second = await getInvitationToken(world, 'shared@own.example')
  await remove(owner, id, member_id)
  expect(await codeOf(accept(await world.user(), second))).toBe('invitation_invalid')
  expect(await emailsOf(owner)).toEqual(['shared@own.example'])
  expect(await accept(await world.user(), first)).toMatchObject({ uuid: id })
  expect(await codeOf(invite(member, id, ['late@own.example']))).toBe('not_found')
})

test('whoever a member with a limit invites begins with the same limit', async () => {
  const { id, owner, member, member_id } = await createTeam()
  await updateMember(owner, id, member_id, { credit_limit: 5 })
  const guestId = await join(world, member, id, await world.user())
  const nextId = await join(world, owner, id, await world.user())
  const limits = new Map((await listMembers(owner, id)).map((one) => [one.user_id, one.credit_limit]))
  expect([limits.get(guestId), limits.get(nextId)]).toEqual([5, 0])
})
