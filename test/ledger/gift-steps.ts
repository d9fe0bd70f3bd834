import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect } from 'vitest'
import { toCoins, toMicroCoins } from '#server/core/coins.ts'
import { createId } from '#server/core/ids.ts'
import { createInviteCode, createToken, hashToken } from '#server/core/secrets.ts'
import { insertAuthSession } from '#server/accounts/auth/store.ts'
import { createAccount, creditAccount, debitAccount } from '#server/ledger/ledger.ts'
import { insertMember } from '#server/accounts/organizations/store.ts'
import { insertUser } from '#server/accounts/users/store.ts'
import type { CallError, Client } from '../world/client.ts'
import type { World } from '../world/world.ts'
import { createPurse, endHold, forfeit, getFree, getMovable, moveAll } from './gift-model.ts'
import type { Hold, Purse } from './gift-model.ts'
import { createBill, findPaidByGift, holdAll, settleAll } from './hold-and-settle.ts'

// Steps that move coins, each through the product's own calls where it has one, and the same steps on a model beside.

const SIGNUP_COINS = 50
const PEOPLE = 4
const NAME = '钱袋'

type Team = { id: string; purse: Purse; account_id: string; members: Map<Person, 'owner' | 'member'> }
type Person = { user_id: string; account_id: string; purse: Purse; client: Client; team: Team | null }
/** All people, every account that ever was, and the holds. */
type Scene = { world: World; people: Person[]; purses: Map<string, Purse>; holds: Hold[] }

/** Possible steps; a repeated one comes more often. They are for people in an organization, in none, or anywhere. */
const INSIDE = ['deposit', 'deposit', 'deposit', 'promote', 'promote', 'demote', 'leave', 'dissolve'] as const
const OUTSIDE = ['found', 'join', 'join', 'join'] as const
const ANYWHERE = ['gift', 'grant', 'grant', 'recharge', 'refund', 'delete', 'hold', 'hold', 'hold'] as const
const ENDS = ['settle', 'settle'] as const

export const step = fc.record({
  kind: fc.constantFrom(...INSIDE, ...OUTSIDE, ...ANYWHERE, ...ENDS),
  /** Index among the people who may act, and among those who may be acted on. */
  who: fc.nat({ max: PEOPLE - 1 }),
  whom: fc.nat({ max: PEOPLE - 1 }),
  /** Coins, with two decimals. */
  coins: fc.integer({ min: 1, max: 6_000 }).map((cents) => cents / 100),
  count: fc.integer({ min: 1, max: 4 }),
})
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Creates an account, signed in by WeChat, so that it can be deleted without a code. */
async function signUp({ world, purses }: Scene): Promise<Person> {
  const [userId, token] = [createId(), createToken()]
  const accountId = await world.db().transaction(async (tx) => {
    const inviteCode = createInviteCode()
    await insertUser(tx, {
      id: userId,
      guest: false,
      wechat: userId,
      name: '某人',
      invite_code: inviteCode,
    })
    await insertAuthSession(tx, hashToken(token), userId, 1)
    return createAccount(tx, userId, toMicroCoins(SIGNUP_COINS))
  })
  const client = world.visitor()
  client.cookie = `wenqu_session=${token}`
  const purse = createPurse(toMicroCoins(SIGNUP_COINS))
  purses.set(accountId, purse)
  return { user_id: userId, account_id: accountId, purse, client, team: null }
}

/** Makes a call, which must be refused with this code, or succeed for null; returns whether it succeeded. */
async function expectOutcome(call: Promise<unknown>, code: string | null): Promise<boolean> {
  const outcome = await call.then(
    () => null,
    (error: CallError) => error.body?.code ?? error,
  )
  expect(outcome).toBe(code)
  return code === null
}

const isOwner = (person: Person): boolean => person.team?.members.get(person) === 'owner'
const isOnlyOwner = (person: Person): boolean =>
  isOwner(person) && [...person.team!.members.values()].filter((role) => role === 'owner').length === 1

/** Picks one of the people that match. */
function pick(people: Person[], nth: number, matches: (person: Person) => boolean): Person | undefined {
  const found = people.filter(matches)
  return found[nth % found.length]
}

function leave(person: Person): void {
  person.team!.members.delete(person)
  person.team = null
}

function dissolve(team: Team, to: Person): void {
  moveAll(team.purse, to.purse)
  for (const member of team.members.keys()) member.team = null
}

async function credit(
  { world }: Scene,
  person: Person,
  kind: 'reward' | 'grant' | 'recharge',
  coins: number,
): Promise<void> {
  const amount = toMicroCoins(coins)
  await creditAccount(world.db(), { user_id: person.user_id, amount, kind })
  person.purse[kind === 'reward' ? 'gift' : 'rest'] += amount
}

const setRole = ({ client, team }: Person, { user_id: userId }: Person, role: 'owner' | 'member') =>
  client.call('PUT /api/organization/{id}/members/{userId}', {
    params: { id: team!.id, userId },
    body: { role },
  })

/** Each does one thing to the ledger and to the model. */
const verbs: Record<Step['kind'], (scene: Scene, person: Person, step: Step) => Promise<void>> = {
  gift: (scene, person, { coins }) => credit(scene, person, 'reward', coins),
  grant: (scene, person, { coins }) => credit(scene, person, 'grant', coins),
  recharge: (scene, person, { coins }) => credit(scene, person, 'recharge', coins),

  async refund({ world }, { user_id, purse }, { coins }) {
    const amount = toMicroCoins(coins)
    const isMoved = await debitAccount(world.db(), { user_id, amount, kind: 'refund' })
    expect(isMoved).toBe(amount <= getMovable(purse))
    if (isMoved) purse.rest -= amount
  },

  async found({ world, purses }, person) {
    const { uuid: id } = await person.client.call('POST /api/organization', { body: { name: NAME } })
    const { rows } = await world
      .db()
      .execute<{ id: string }>(sql`SELECT id FROM ledger_accounts WHERE organization_id = ${id}`)
    const purse = createPurse()
    person.team = { id, purse, account_id: rows[0]!.id, members: new Map([[person, 'owner']]) }
    purses.set(person.team.account_id, purse)
  },

  async join({ world, people }, person, { whom }) {
    const team = pick(people, whom, (other) => other.team !== null)?.team
    if (!team) return
    await insertMember(world.db(), { organization_id: team.id, user_id: person.user_id, role: 'member' })
    team.members.set(person, 'member')
    person.team = team
  },

  async promote({ people }, person, { whom }) {
    const fellow = pick(people, whom, (other) => other !== person && other.team === person.team)
    if (!fellow) return
    const code = isOwner(person) ? null : 'forbidden'
    if (await expectOutcome(setRole(person, fellow, 'owner'), code)) person.team!.members.set(fellow, 'owner')
  },

  async demote(_, person) {
    const code = !isOwner(person) ? 'forbidden' : isOnlyOwner(person) ? 'last_owner' : null
    if (await expectOutcome(setRole(person, person, 'member'), code))
      person.team!.members.set(person, 'member')
  },

  async leave(_, person) {
    const code = isOnlyOwner(person) ? 'last_owner' : null
    const params = { id: person.team!.id, userId: person.user_id }
    const leaving = person.client.call('DELETE /api/organization/{id}/members/{userId}', { params })
    if (await expectOutcome(leaving, code)) leave(person)
  },

  async deposit(_, person, { coins }) {
    const { purse, client } = person
    const team = person.team!
    const amount = toMicroCoins(coins)
    const code = !isOwner(person)
      ? 'forbidden'
      : amount > getFree(purse)
        ? 'insufficient_balance'
        : amount > getMovable(purse)
          ? 'gift_untransferable'
          : null
    const depositing = client.call('POST /api/organization/{id}/deposit', {
      params: { id: team.id },
      body: { coins },
    })
    if (!(await expectOutcome(depositing, code))) return
    purse.rest -= amount
    team.purse.rest += amount
  },

  async dissolve(_, person) {
    const { client } = person
    const team = person.team!
    const code = !isOwner(person) ? 'forbidden' : team.purse.held ? 'organization_busy' : null
    const dissolving = client.call('DELETE /api/organization/{id}', {
      params: { id: team.id },
      body: { name: NAME },
    })
    if (!(await expectOutcome(dissolving, code))) return
    expect(await dissolving).toEqual({ returned: toCoins(team.purse.rest) })
    dissolve(team, person)
  },

  /** A new person replaces the deleted one. */
  async delete(scene, person) {
    const { team, client, purse } = person
    const isAlone = team?.members.size === 1
    const code =
      team && !isAlone && isOnlyOwner(person)
        ? 'last_owner'
        : isAlone && team.purse.held
          ? 'organization_busy'
          : null
    const deleting = client.call('POST /api/user/account/delete', { body: {} })
    if (!(await expectOutcome(deleting, code))) return
    if (isAlone) dissolve(team, person)
    else if (team) leave(person)
    forfeit(purse)
    scene.people[scene.people.indexOf(person)] = await signUp(scene)
  },

  /** Pays by the person's own account, or by the organization's. */
  async hold({ world, holds }, { team, ...person }, { coins, count }) {
    const { account_id, purse } = team && count % 2 ? team : person
    const [runId, amount] = [createId(), toMicroCoins(coins)]
    const [decision] = await holdAll(world.db(), [{ id: runId, account_id, amount }])
    expect(decision!.refusal).toBe(amount > getFree(purse) ? 'insufficient_balance' : null)
    if (decision!.refusal) return
    purse.held += amount
    holds.push({ run_id: runId, purse, amount })
  },

  /** Settles several holds at once, of any owners: some cost more than was held, some nothing. */
  async settle({ world, holds }, _, { who, coins, count }) {
    const ended = holds.splice(who, count)
    const bills = ended.map(({ run_id }, nth) =>
      nth === 2 ? { run_id, void: true as const } : createBill(run_id, Math.round(coins * 1e6 * (nth + 0.5))),
    )
    const charged = bills.length ? await settleAll(world.db(), bills) : []
    for (const [nth, hold] of ended.entries()) {
      const bill = bills[nth]!
      const expected = endHold(hold, 'void' in bill ? 0n : BigInt(bill.tokens.output))
      expect({ charged: charged[nth], gift: await findPaidByGift(world.db(), hold.run_id) }).toEqual(expected)
    }
  },
}

async function expectPurses({ world, purses }: Scene): Promise<void> {
  const { rows } = await world.db().execute<Record<'id' | 'balance' | 'held' | 'gift', string>>(sql`
    SELECT id, balance::text, held::text, gift::text FROM ledger_accounts
    WHERE id = ANY (${sql.param([...purses.keys()])}::uuid[])`)
  const found = new Map(
    rows.map(({ id, balance, held, gift }) => [
      id,
      { gift: BigInt(gift), rest: BigInt(balance) - BigInt(gift), held: BigInt(held) },
    ]),
  )
  expect(found).toEqual(purses)
}

const mayTry = (kind: Step['kind'], team: Team | null): boolean =>
  !(team ? (OUTSIDE as readonly string[]) : (INSIDE as readonly string[])).includes(kind)

/** Takes the steps one after the other; after each of them the ledger must agree with the model. */
export async function takeSteps(world: World, steps: Step[]): Promise<void> {
  const scene: Scene = { world, people: [], purses: new Map(), holds: [] }
  for (let nth = 0; nth < PEOPLE; nth++) scene.people.push(await signUp(scene))
  for (const one of steps) {
    const person = pick(scene.people, one.who, ({ team }) => mayTry(one.kind, team))
    if (person) await verbs[one.kind](scene, person, one)
    await expectPurses(scene)
  }
}
