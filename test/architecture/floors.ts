import { createImportRule, getRoom, getSide } from './module.ts'

const FLOORS: Record<string, number> = { core: 0, ledger: 1, llm: 1, runs: 2, conversations: 3, gateway: 5 }
const FEATURES = 4
const APP = 6
const MAIN = 7

function getFloor(path: string): number {
  const room = getRoom(path)
  if (room === 'main.ts') return MAIN
  return room.endsWith('.ts') ? APP : (FLOORS[room] ?? FEATURES)
}

/** Floors of the server: core, then ledger and llm, runs, conversations, features, gateway, app.ts, main.ts. Nothing imports upwards. */
export const floors = createImportRule((from, target) => {
  if (getSide(from) !== 'server' || getSide(target) !== 'server' || getRoom(from) === getRoom(target))
    return undefined
  // A foreign key needs the other table itself; nothing else of the other feature is read through it.
  if (from.endsWith('/tables.ts') && target.endsWith('/tables.ts')) return undefined
  const [floor, below] = [getFloor(from), getFloor(target)]
  if (below > floor) {
    return `${from} imports ${target}, which lies on a higher floor (core < ledger, llm < runs < conversations < features < gateway < app.ts < main.ts). Let the upper one call down and hand in what is needed as an argument.`
  }
  if (below === floor && floor === FLOORS.ledger) {
    return `${from} imports ${target}: ledger knows coins and llm knows platforms, neither knows the other. Bring them together one floor up, in src/server/runs.`
  }
  // app.ts puts the features together and may open any of their files.
  const isFeature = below === FEATURES || below === FLOORS.gateway
  const door = `src/server/${getRoom(target)}/${getRoom(target)}.ts`
  if (isFeature && floor < APP && target !== door) {
    return `${from} imports ${target}: a feature is entered by its door only. Add a verb to ${door} and import that.`
  }
  return undefined
})

/** A feature's SQL is in one place, where its scope by owner can be checked. */
export const sqlInStores = createImportRule((from, target) => {
  const isFeature =
    getSide(from) === 'server' && [FLOORS.conversations, FEATURES, FLOORS.gateway].includes(getFloor(from))
  if (!isFeature || target !== 'drizzle-orm' || /\/(store|tables)(\.test)?\.ts$/.test(from)) return undefined
  const folder = from.slice(0, from.lastIndexOf('/'))
  return `${from} imports ${target}: the SQL of a feature is in its store.ts, its tables in tables.ts, nowhere else. Add a function to ${folder}/store.ts and call that.`
})
