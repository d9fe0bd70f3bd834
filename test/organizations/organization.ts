import { toMicroCoins } from '#server/core/coins.ts'
import { readOutbox } from '#server/core/mail.ts'
import { creditAccount } from '#server/ledger/ledger.ts'
import type { Client } from '../world/client.ts'
import type { World } from '../world/world.ts'

/** Returns the token of the newest invitation that was mailed to an address. */
export async function getInvitationToken(world: World, email: string): Promise<string> {
  const mail = (await readOutbox(world.data_dir, 500)).find(
    ({ to, text }) => to === email && text.includes('?invitation='),
  )
  return /\?invitation=([\w-]+)/.exec(mail!.text)![1]!
}

/** Has the organization of a member pay for the member's questions and calls. */
export const chooseOrganization = (client: Client) =>
  client.call('PUT /api/user/payer', { body: { payer: 'organization' } })

/** Gives a person coins, none of them gift coins. */
export async function grant(world: World, client: Client, coins: number): Promise<void> {
  const { uuid: userId } = await client.call('GET /api/user/info', {})
  await creditAccount(world.db(), { user_id: userId, amount: toMicroCoins(coins), kind: 'grant' })
}

/** Invites an address, and has a person accept. */
export async function join(world: World, manager: Client, id: string, member: Client): Promise<string> {
  const { uuid } = await member.call('GET /api/user/info', {})
  const email = `${uuid}@example.com`
  await manager.call('POST /api/organization/{id}/members/invite', {
    params: { id },
    body: { emails: [email] },
  })
  const token = await getInvitationToken(world, email)
  await member.call('POST /api/organization/invitation/accept', { body: { token } })
  return uuid
}
