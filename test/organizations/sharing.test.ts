import { expect, test } from 'vitest'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { createAgent } from '../agents/agent.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'
import { chooseOrganization, grant, join } from './organization.ts'

const world = useWorld()

const codeOf = async (call: Promise<unknown>): Promise<unknown> => (await expectCallError(call)).body.code
const getAgent = (client: Client, id: string) => client.call('GET /api/agent/{id}', { params: { id } })
const share = (client: Client, id: string, visible: 0 | 1 | 2) =>
  client.call('POST /api/agent/{id}/link', { params: { id }, body: { visible } })
const listNames = async (client: Client, tab: 'default' | 'popular' = 'default') =>
  (await client.call('GET /api/agents', { query: { tab } })).items.map(({ name }) => name)
const remove = (client: Client, id: string, userId: string) =>
  client.call('DELETE /api/organization/{id}/members/{userId}', { params: { id, userId } })

/** Creates an organization with a member. */
async function createTeam(name = '渠社') {
  const [owner, member] = [await world.user(), await world.user()]
  const { uuid: id } = await owner.call('POST /api/organization', { body: { name } })
  return { id, owner, member, member_id: await join(world, owner, id, member) }
}

test('an agent that is shared with the organization is used by its members, changed by nobody else, and gone at once for who leaves', async () => {
  const { id, owner, member, member_id } = await createTeam()
  const other = await createTeam('别的社')
  const { uuid, chatbot } = await createAgent(
    world,
    owner,
    { '水.md': '正常水位是 3.2 米。' },
    { name: '社内' },
  )
  expect(await codeOf(getAgent(member, uuid))).toBe('agent_not_found')
  expect((await share(owner, uuid, 1)).visible).toBe(1)

  const { data } = await getAgent(member, uuid)
  expect(data).toMatchObject({ visible: 1, public: false, owned: false, owner: { name: expect.any(String) } })
  expect(data).not.toHaveProperty('embeds')
  expect((await listNames(member))[0]).toBe('社内')
  expect(await listNames(member, 'popular')).not.toContain('社内')
  world.upstream.script('scripted', { text: '3.2 米[1]。' })
  expect((await member.ask('正常水位是多少？', { chatbot })).end).toBe('[DONE]')
  const refused = [
    member.call('PUT /api/agent/{id}', { params: { id: uuid }, body: { name: '我的了' } }),
    member.call('DELETE /api/agent/{id}', { params: { id: uuid } }),
    share(member, uuid, 2),
    getAgent(other.member, uuid),
    other.owner.ask('?', { chatbot }),
  ]
  expect(new Set(await Promise.all(refused.map(codeOf)))).toEqual(new Set(['agent_not_found']))
  expect(await listNames(other.owner)).not.toContain('社内')

  await remove(owner, id, member_id)
  expect(await codeOf(getAgent(member, uuid))).toBe('agent_not_found')
  expect(await codeOf(member.ask('?', { chatbot }))).toBe('agent_not_found')
  expect(await listNames(member)).not.toContain('社内')
})

test('whoever leaves takes the own agents along, also into the next organization', async () => {
  const { id, owner, member, member_id } = await createTeam()
  const { uuid } = await createAgent(world, member, {}, { name: '带走', visible: 1 })
  expect((await getAgent(owner, uuid)).data.name).toBe('带走')
  await remove(member, id, member_id)
  expect(await codeOf(getAgent(owner, uuid))).toBe('agent_not_found')
  expect((await getAgent(member, uuid)).data.visible).toBe(0)
  expect(await codeOf(share(member, uuid, 1))).toBe('organization_none')
  expect(await codeOf(createAgent(world, member, {}, { visible: 1 }))).toBe('organization_none')
  const next = await createTeam()
  await join(world, next.owner, next.id, member)
  expect(await codeOf(getAgent(next.owner, uuid))).toBe('agent_not_found')
})

test('terms of the organization are used beside the own, which come first, and written by owners and admins', async () => {
  const { id, owner, member, member_id } = await createTeam()
  const add = (client: Client, term: string, translation: string, scope: 'own' | 'organization') =>
    client.call('POST /api/glossary', { body: { target_lang: 'zh-CN', term, translation, scope } })
  const list = async (client: Client) =>
    (await client.call('GET /api/glossary', { query: { scope: 'organization' } })).items.map(
      ({ term }) => term,
    )
  const { data: lake } = await add(owner, 'Lake', '大湖', 'organization')
  await add(owner, 'quay', '码头', 'organization')
  await add(member, 'QUAY', '埠头', 'own')
  expect(await list(member)).toEqual(['Lake', 'quay'])
  const body = { target_lang: 'zh-CN', term: 'sea', translation: '海', scope: 'organization' } as const
  const refused = [
    add(member, 'sea', '海', 'organization'),
    member.call('PUT /api/glossary/{id}', { params: { id: lake.id }, body }),
    member.call('DELETE /api/glossary/{id}', { params: { id: lake.id }, query: { scope: 'organization' } }),
    member.call('POST /api/glossary/import', {
      body: { target_lang: 'zh-CN', csv: 'sea,海', scope: 'organization' },
    }),
  ]
  expect(new Set(await Promise.all(refused.map(codeOf)))).toEqual(new Set(['forbidden']))
  // In the scope of a person's own terms they are unknown, also to their author.
  expect(await codeOf(owner.call('DELETE /api/glossary/{id}', { params: { id: lake.id } }))).toBe('not_found')

  const ask = async (client: Client) => {
    world.upstream.script('flat', { text: '大湖与埠头。' })
    const { chat_id } = await client.call('POST /api/translate', {
      body: { prompt: 'The lake and the quay.', model: 'flat', target_lang: 'zh-CN' },
    })
    const query = { chat_id, chatbot: 'fanyi' }
    await client.call('POST /api/chat/completions', { query })
    return JSON.stringify(world.upstream.requests.at(-1)!.body)
  }
  const asked = await ask(member)
  expect(asked).toContain('Lake → 大湖')
  expect(asked).toContain('QUAY → 埠头')
  expect(asked).not.toContain('码头')

  await remove(owner, id, member_id)
  expect(await ask(member)).not.toContain('大湖')
  expect(await codeOf(list(member))).toBe('not_found')
})

test('owners and admins see each bill of the organization, with who asked; and as a table', async () => {
  const { id, owner, member } = await createTeam()
  const params = { id }
  await grant(world, owner, 20)
  await owner.call('POST /api/organization/{id}/deposit', { params, body: { coins: 20 } })
  await chooseOrganization(member)
  for (let nth = 0; nth < 3; nth++) await member.ask('一个问题', { model: 'flat' })
  const { uuid: userId, name } = await member.call('GET /api/user/info', {})
  const page = await owner.call('GET /api/organization/{id}/bills', { params, query: { page_size: 2 } })
  expect(page).toMatchObject({ total: 3, cur_page: 1 })
  expect(page.items).toHaveLength(2)
  expect(page.items[0]).toMatchObject({ user_id: userId, name, source: 'chat', model: 'flat', amount: 1 })
  const last = await owner.call('GET /api/organization/{id}/bills', {
    params,
    query: { page: 2, page_size: 2 },
  })
  expect(last.items).toHaveLength(1)
  const table = await (await owner.fetch(`/api/organization/${id}/bills/export`)).text()
  expect(table.trim().split('\r\n')).toHaveLength(4)
  expect(await codeOf(member.call('GET /api/organization/{id}/bills', { params }))).toBe('forbidden')
  expect((await member.fetch(`/api/organization/${id}/bills/export`)).status).toBe(403)
})

test('an owner dissolves the organization by its name: the coins come back, members learn of it and pay for themselves', async () => {
  const { id, owner, member, member_id } = await createTeam()
  const params = { id }
  await grant(world, owner, 20)
  await owner.call('POST /api/organization/{id}/deposit', { params, body: { coins: 20 } })
  await chooseOrganization(member)
  const { uuid } = await createAgent(world, member, {}, { name: '社内', visible: 1 })
  const dissolve = (client: Client, name: string) =>
    client.call('DELETE /api/organization/{id}', { params, body: { name } })
  expect(await codeOf(dissolve(member, '渠社'))).toBe('forbidden')
  expect(await codeOf(dissolve(owner, '渠'))).toBe('organization_name_wrong')

  world.upstream.script('flat', { text: '水'.repeat(400), chars: 1, stall: 5 })
  const { chat_message } = await member.call('POST /api/chat/create', {
    body: { prompt: '问', model: 'flat' },
  })
  expect(await codeOf(dissolve(owner, '渠社'))).toBe('organization_busy')
  await member.call('POST /api/chat/cancel', { body: { chat_id: chat_message.chat_id } })

  const { organization } = await owner.call('GET /api/user/info', {})
  expect(await dissolve(owner, ' 渠社 ')).toEqual({ returned: organization!.balance })
  const info = await member.call('GET /api/user/info', {})
  expect([info.uuid, info.organization]).toEqual([member_id, null])
  expect((await owner.call('GET /api/user/info', {})).organization).toBeNull()
  expect((await getAgent(member, uuid)).data.visible).toBe(0)
  const { items } = await member.call('GET /api/user/messages', {})
  expect(items[0]).toMatchObject({ title: '组织已解散' })
  world.upstream.script('flat', { text: '好。' })
  await member.ask('谁付费？', { model: 'flat' })
  expect((await member.call('GET /api/user/info', {})).balance).toBe(info.balance - 1)
  expect(await codeOf(owner.call('GET /api/organization/{id}', { params }))).toBe('not_found')
  await expectLedgerInvariants(world.db())
})
