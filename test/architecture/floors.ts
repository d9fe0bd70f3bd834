import { eachImport, roomOf, sideOf } from './module.ts'

const FLOORS: Record<string, number> = { core: 0, ledger: 1, llm: 1, runs: 2, gateway: 4 }
const FEATURES = 3
const APP = 5
const MAIN = 6

function floorOf(path: string): number {
  const room = roomOf(path)
  if (room === 'main.ts') return MAIN
  return room.endsWith('.ts') ? APP : (FLOORS[room] ?? FEATURES)
}

/** Floors of the server: core, then ledger and llm, runs, features, gateway, app.ts, main.ts. Nothing imports upwards. */
export const floors = eachImport((from, target) => {
  if (sideOf(from) !== 'server' || sideOf(target) !== 'server' || roomOf(from) === roomOf(target))
    return undefined
  const [floor, below] = [floorOf(from), floorOf(target)]
  if (below > floor) {
    return `${from} imports ${target}, which lies on a higher floor (core < ledger, llm < runs < features < gateway < app.ts < main.ts). Let the upper one call down and hand in what is needed as an argument.`
  }
  if (below === floor && floor === FLOORS.ledger) {
    return `${from} imports ${target}: ledger knows coins and llm knows platforms, neither knows the other. Bring them together one floor up, in src/server/runs.`
  }
  // app.ts puts the features together and may open any of their files.
  const isFeature = below === FEATURES || below === FLOORS.gateway
  const door = `src/server/${roomOf(target)}/${roomOf(target)}.ts`
  // A foreign key needs the other table itself; nothing else of the other feature is read through it.
  const isForeignKey = from.endsWith('/tables.ts') && target.endsWith('/tables.ts')
  if (isFeature && floor < APP && target !== door && !isForeignKey) {
    return `${from} imports ${target}: a feature is entered by its door only. Add a verb to ${door} and import that.`
  }
  return undefined
})

/** A feature's SQL is in one place, where its scope by owner can be checked. */
export const sqlInStores = eachImport((from, target) => {
  const isFeature = sideOf(from) === 'server' && [FEATURES, FLOORS.gateway].includes(floorOf(from))
  if (!isFeature || target !== 'drizzle-orm' || /\/(store|tables)(\.test)?\.ts$/.test(from)) return undefined
  const folder = from.slice(0, from.lastIndexOf('/'))
  return `${from} imports ${target}: the SQL of a feature is in its store.ts, its tables in tables.ts, nowhere else. Add a function to ${folder}/store.ts and call that.`
})
