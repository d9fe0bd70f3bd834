import { createImportRule, getRoom, getSide } from './module.ts'

const FLOORS: Record<string, number> = {
  core: 0,
  ledger: 1,
  llm: 1,
  readers: 1,
  runs: 2,
  tasks: 2,
  conversations: 3,
  knowledge: 3,
  gateway: 5,
}
/** Floors that every other room enters by one file, `<floor>/<floor>.ts`. */
const FLOORS_WITH_ENTRY_POINT = ['ledger', 'llm', 'readers', 'runs', 'tasks', 'conversations', 'knowledge']
const FEATURES = 4
const APP = 6
const MAIN = 7

function getFloor(path: string): number {
  const room = getRoom(path)
  if (room === 'main.ts') return MAIN
  return room.endsWith('.ts') ? APP : (FLOORS[room] ?? FEATURES)
}

/** Forbids imports upwards: core, ledger/llm/readers, runs/tasks, conversations/knowledge, features, gateway, app.ts, main.ts. */
export const floors = createImportRule((from, target) => {
  if (getSide(from) !== 'server' || getSide(target) !== 'server' || getRoom(from) === getRoom(target))
    return undefined
  // A foreign key needs the other table itself; nothing else of the other feature may be read through it.
  if (from.endsWith('/tables.ts') && target.endsWith('/tables.ts')) return undefined
  const [floor, below] = [getFloor(from), getFloor(target)]
  if (below > floor) {
    return `${from} imports ${target}, which lies on a higher floor (core < ledger, llm, readers < runs, tasks < conversations, knowledge < features < gateway < app.ts < main.ts). Let the upper one call down and hand in what is needed as an argument.`
  }
  if (below === floor && floor === FLOORS.ledger) {
    return `${from} imports ${target}: ledger knows coins, llm knows platforms and readers know files, none knows another. Bring them together one floor up, in src/server/runs.`
  }
  const entryPoint = `src/server/${getRoom(target)}/${getRoom(target)}.ts`
  if (FLOORS_WITH_ENTRY_POINT.includes(getRoom(target)) && target !== entryPoint) {
    return `${from} imports ${target}: this floor is entered by one file only, types included. Export what you need from ${entryPoint} and import that.`
  }
  // app.ts puts the features together and may open any of their files.
  const isFeature = below === FEATURES || below === FLOORS.gateway
  if (isFeature && floor < APP && target !== entryPoint) {
    return `${from} imports ${target}: a feature is entered by one file only. Add a verb to ${entryPoint} and import that.`
  }
  return undefined
})

/** Keeps a feature's SQL in one place, where its scope by owner can be checked. */
export const sqlInStores = createImportRule((from, target) => {
  const isFeature =
    getSide(from) === 'server' && [FLOORS.conversations, FEATURES, FLOORS.gateway].includes(getFloor(from))
  if (!isFeature || target !== 'drizzle-orm' || /\/(store|tables)(\.test)?\.ts$/.test(from)) return undefined
  const folder = from.slice(0, from.lastIndexOf('/'))
  return `${from} imports ${target}: the SQL of a feature is in its store.ts, its tables in tables.ts, nowhere else. Add a function to ${folder}/store.ts and call that.`
})
