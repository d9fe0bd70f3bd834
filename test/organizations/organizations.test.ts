import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { MAX_MEMBERS } from '#contract/organizations/limits.ts'
import { createId } from '#server/core/ids.ts'
import { readOutbox } from '#server/core/mail.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { waitForWaiting } from '../world/locks.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { getInvitationToken, grant, join } from './organization.ts'

const world = useOwnWorld({ env: { SIGNUP_COINS: '10' } })

const create = (owner: Client, name = '测试组织') => owner.call('POST /api/organization', { body: { name } })
const getInfo = async (client: Client) => (await client.call('GET /api/user/info', {})).organization
const listMembers = async (client: Client, id: string) =>
  (await client.call('GET /api/organization/{id}/members', { params: { id } })).items
const invite = (client: Client, id: string, emails: string[]) =>
  client.call('POST /api/organization/{id}/members/invite', { params: { id }, body: { emails } })
const accept = (client: Client, token: string) =>
  client.call('POST /api/organization/invitation/accept', { body: { token } })
const update = (
  client: Client,
  id: string,
  userId: string,
  body: { role?: 'owner' | 'admin' | 'member'; credit_limit?: number },
) => client.call('PUT /api/organization/{id}/members/{userId}', { params: { id, userId }, body })
const remove = (client: Client, id: string, userId: string) =>
  client.call('DELETE /api/organization/{id}/members/{userId}', { params: { id, userId } })
const codeOf = async (call: Promise<unknown>) => (await expectCallError(call)).body.code

/** Creates an organization with an owner, an admin and a member. */
async function createTeam() {
  const [owner, admin, member] = [await world.user(), await world.user(), await world.user()]
  const { uuid: id } = await create(owner)
  const ownerId = (await owner.call('GET /api/user/info', {})).uuid
  const adminId = await join(world, owner, id, admin)
  await update(owner, id, adminId, { role: 'admin' })
  const memberId = await join(world, owner, id, member)
  return { id, owner, admin, member, owner_id: ownerId, admin_id: adminId, member_id: memberId }
}

test('whoever creates an organization owns it, and belongs to no other', async () => {
  const owner = await world.user()
  expect(await getInfo(owner)).toBeNull()
  const organization = await create(owner, ' 星河工作室 ')
  expect(organization).toMatchObject({
    name: '星河工作室',
    logo: '',
    role: 'owner',
    pays: false,
    balance: 0,
    members: 1,
  })
  expect(await getInfo(owner)).toMatchObject({ uuid: organization.uuid, name: '星河工作室', role: 'owner' })
  expect(await codeOf(create(owner))).toBe('organization_joined')
  expect(await codeOf(owner.call('POST /api/organization', { body: { name: '  ' } }))).toBe('invalid_input')

  const params = { id: organization.uuid }
  expect(await owner.call('PUT /api/organization/{id}', { params, body: { name: '新名字' } })).toMatchObject({
    name: '新名字',
  })
  const logo = { logo: 'https://example.com/logo.png' }
  expect(await codeOf(owner.call('PUT /api/organization/{id}', { params, body: logo }))).toBe(
    'picture_missing',
  )
})

test('each address gets one mail, whose link makes one person a member, once', async () => {
  const owner = await world.user()
  const { uuid: id } = await create(owner)
  const emails = ['a@team.example', 'A@team.example ', 'b@team.example']
  expect(await invite(owner, id, emails)).toEqual({ message: '所有邀请发送成功' })
  const mails = (await readOutbox(world.data_dir, 500)).filter(({ to }) => to.endsWith('@team.example'))
  expect(mails.map(({ to }) => to).sort()).toEqual(['a@team.example', 'b@team.example'])
  expect(mails[0]!.text).toContain('/profile/organization?invitation=')
  const { items } = await owner.call('GET /api/organization/{id}/invitations', { params: { id } })
  expect(items.map(({ email }) => email).sort()).toEqual(['a@team.example', 'b@team.example'])

  const [first, second] = [await world.user(), await world.user()]
  const token = await getInvitationToken(world, 'a@team.example')
  expect(await first.call('POST /api/organization/invitation', { body: { token } })).toMatchObject({
    name: '测试组织',
  })
  const outcomes = await Promise.allSettled([accept(first, token), accept(second, token)])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await codeOf(accept(await world.user(), token))).toBe('invitation_invalid')
  expect((await listMembers(owner, id)).map(({ role }) => role)).toEqual(['owner', 'member'])
  const { notifications } = await owner.call('GET /api/notifications/unread', {})
  expect(notifications).toMatchObject([{ channel: 'organization', title: '有新成员加入组织' }])
})

test('an invitation ends when it expires, is withdrawn or sent again, and not for who has an organization', async () => {
  const owner = await world.user()
  const { uuid: id } = await create(owner)
  const person = await world.user()
  await invite(owner, id, ['c@again.example'])
  const old = await getInvitationToken(world, 'c@again.example')
  await invite(owner, id, ['c@again.example'])
  expect(await codeOf(accept(person, old))).toBe('invitation_invalid')
  const token = await getInvitationToken(world, 'c@again.example')
  const other = await world.user()
  await create(other)
  expect(await codeOf(accept(other, token))).toBe('organization_joined')

  const open = await owner.call('GET /api/organization/{id}/invitations', { params: { id } })
  expect(open.total).toBe(1)
  const params = { id, invitationId: open.items[0]!.id }
  await owner.call('DELETE /api/organization/{id}/invitations/{invitationId}', { params })
  expect(await codeOf(accept(person, token))).toBe('invitation_invalid')

  await invite(owner, id, ['d@again.example'])
  await world
    .db()
    .execute(sql`UPDATE organization_invitations SET expires_at = now() WHERE organization_id = ${id}`)
  expect(await codeOf(accept(person, await getInvitationToken(world, 'd@again.example')))).toBe(
    'invitation_invalid',
  )
})

test('50 addresses a call at most, and each of them an address', async () => {
  const owner = await world.user()
  const { uuid: id } = await create(owner)
  const emails = Array.from({ length: 51 }, (_, nth) => `p${nth}@many.example`)
  expect(await codeOf(invite(owner, id, emails))).toBe('invalid_input')
  expect(await codeOf(invite(owner, id, ['no address']))).toBe('invalid_input')
  expect((await owner.call('GET /api/organization/{id}/invitations', { params: { id } })).total).toBe(0)
})

test('the last place of an organization can be given, and no more than that', async () => {
  const owner = await world.user()
  const { uuid: id } = await create(owner)
  // The owner has one place; open invitations hold all others but one.
  await world.db().execute(sql`
    INSERT INTO organization_invitations (id, organization_id, invited_by, email, token_hash, expires_at)
    SELECT gen_random_uuid(), ${id}, m.user_id, n || '@full.example', ${id} || n, now() + interval '1 day'
    FROM organization_members m, generate_series(1, ${MAX_MEMBERS - 2}::int) n WHERE m.organization_id = ${id}`)
  expect(await codeOf(invite(owner, id, ['a@last.example', 'b@last.example']))).toBe('organization_full')
  await invite(owner, id, ['a@last.example'])
  expect(await codeOf(invite(owner, id, ['b@last.example']))).toBe('organization_full')
  const person = await world.user()
  await accept(person, await getInvitationToken(world, 'a@last.example'))
  expect(await getInfo(person)).toMatchObject({ uuid: id, role: 'member' })
})

test('roles: owners do everything, admins look after members, members after whom they invited', async () => {
  const { id, owner, admin, member, owner_id, admin_id, member_id } = await createTeam()
  expect(await listMembers(member, id)).toMatchObject([
    { user_id: owner_id, role: 'owner' },
    { user_id: admin_id, role: 'admin' },
    {
      user_id: member_id,
      role: 'member',
      credit_limit: 0,
      credit_used: 0,
      used_this_month: 0,
      calls_this_month: 0,
    },
  ])
  const forbidden = [
    member.call('PUT /api/organization/{id}', { params: { id }, body: { name: '别的' } }),
    update(member, id, member_id, { credit_limit: 100 }),
    remove(member, id, admin_id),
    update(admin, id, member_id, { role: 'admin' }),
    update(admin, id, admin_id, { credit_limit: 100 }),
    remove(admin, id, owner_id),
    admin.call('POST /api/organization/{id}/deposit', { params: { id }, body: { coins: 1 } }),
  ]
  expect(new Set(await Promise.all(forbidden.map(codeOf)))).toEqual(new Set(['forbidden']))
  expect(await update(admin, id, member_id, { credit_limit: 1.5 })).toMatchObject({ credit_limit: 1.5 })
  await invite(admin, id, ['x@roles.example'])
  await remove(admin, id, member_id)
  expect(await getInfo(member)).toBeNull()
  const told = await member.call('GET /api/user/messages', { query: { channel: 'organization' } })
  expect(told.items[0]).toMatchObject({ title: '你已被移出组织' })
  const unknown = [listMembers(member, id), remove(admin, id, member_id), remove(owner, id, createId())]
  expect(await Promise.all(unknown.map(codeOf))).toEqual(Array(3).fill('not_found'))
})

test('the last owner stays an owner, whoever asks and however often at once', async () => {
  const { id, owner, admin, member, owner_id, admin_id } = await createTeam()
  const refused = [remove(owner, id, owner_id), update(owner, id, owner_id, { role: 'member' })]
  expect(await Promise.all(refused.map(codeOf))).toEqual(['last_owner', 'last_owner'])
  await update(owner, id, admin_id, { role: 'owner' })
  const leaving = await Promise.allSettled([remove(owner, id, owner_id), remove(admin, id, admin_id)])
  expect(leaving.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await listMembers(member, id)).filter(({ role }) => role === 'owner')).toHaveLength(1)
})

test('an owner moves coins of his own to the organization, never more than he has', async () => {
  const owner = await world.user()
  const { uuid: id } = await create(owner)
  await grant(world, owner, 10)
  const deposit = (coins: number) =>
    owner.call('POST /api/organization/{id}/deposit', { params: { id }, body: { coins } })
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => deposit(4)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await codeOf(deposit(12.01))).toBe('insufficient_balance')
  expect(await codeOf(deposit(0))).toBe('invalid_input')
  const user = await owner.call('GET /api/user/info', {})
  expect([user.balance, user.organization!.balance]).toEqual([12, 8])
  const { items } = await owner.call('GET /api/user/transactions', { query: { action: 'transfer' } })
  expect(items.map(({ amount }) => amount)).toEqual([-4, -4])
})

test.runIf(process.env.DATABASE_URL)(
  'an invitation that is withdrawn while it is accepted holds nobody up',
  async () => {
    const [owner, guest] = [await world.user(), await world.user()]
    const { uuid: id } = await create(owner)
    await invite(owner, id, ['late@example.com'])
    const token = await getInvitationToken(world, 'late@example.com')
    const [locked, accepted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const withdrawing = world.db().transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM organizations WHERE id = ${id} FOR UPDATE`)
      locked.resolve()
      await accepted.promise
      await tx.execute(sql`DELETE FROM organization_invitations WHERE organization_id = ${id}`)
    })
    await locked.promise
    const accepting = codeOf(accept(guest, token))
    await waitForWaiting(world.db(), 1)
    accepted.resolve()
    await withdrawing
    expect(await accepting).toBe('invitation_invalid')
  },
)
