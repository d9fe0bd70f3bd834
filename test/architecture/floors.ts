import { createImportRule, getEntryPoint, getFeature, getRoom, getSide } from './module.ts'

const FLOORS: readonly string[][] = [
  ['core'],
  ['ledger', 'llm', 'formats'],
  ['runs', 'tasks'],
  ['accounts', 'files', 'notifications'],
  ['conversations', 'documents'],
  ['assistants', 'commerce', 'models'],
  ['gateway', 'admin'],
]
const ORDER = FLOORS.map((rooms) => rooms.join(', ')).join(' < ')
/** Rooms from this floor up have routes, and their SQL in stores. */
const FEATURE_FLOOR = 3
const APP = FLOORS.length

function getFloor(path: string): number {
  const room = getRoom(path)
  if (room.endsWith('.ts')) return room === 'main.ts' ? APP + 1 : APP
  const floor = FLOORS.findIndex((rooms) => rooms.includes(room))
  if (floor < 0)
    throw new Error(`${path} stands on no floor: add its room to FLOORS in test/architecture/floors.ts.`)
  return floor
}

/** Forbids imports upwards, and any way into a feature but its entry point. */
export const floors = createImportRule((from, target) => {
  if (getSide(from) !== 'server' || getSide(target) !== 'server' || getFeature(from) === getFeature(target))
    return undefined
  // A foreign key needs the other table itself; nothing else of the other feature may be read through it.
  if (from.endsWith('/tables.ts') && target.endsWith('/tables.ts')) return undefined
  const [floor, below] = [getFloor(from), getFloor(target)]
  if (below > floor) {
    return `${from} imports ${target}, which lies on a higher floor (${ORDER} < app.ts < main.ts). Let the upper one call down and hand in what is needed as an argument.`
  }
  if (below === floor && FLOORS[floor]?.includes('ledger')) {
    return `${from} imports ${target}: ledger knows coins, llm knows platforms and formats know files, none knows another. Bring them together one floor up, in src/server/runs.`
  }
  if (getRoom(from) === 'gateway' && getRoom(target) === 'assistants') {
    return `${from} imports ${target}: the gateway is handed its protocols, and knows no assistant. Say what it needs in a type of its own, and hand that in from src/server/start.ts.`
  }
  const entryPoint = `${getEntryPoint(target)}.ts`
  if (below === 0 || below >= APP || target === entryPoint) return undefined
  // app.ts puts the features together and may open any of their files.
  if (below >= FEATURE_FLOOR && floor >= APP) return undefined
  return `${from} imports ${target}: a feature is entered by one file only, types included. Export what you need from ${entryPoint} and import that.`
})

/** Keeps a feature's SQL in one place, where its scope by owner can be checked. */
export const sqlInStores = createImportRule((from, target) => {
  const isFeature = getSide(from) === 'server' && getFloor(from) >= FEATURE_FLOOR
  if (!isFeature || target !== 'drizzle-orm' || /\/(store|tables)(\.test)?\.ts$/.test(from)) return undefined
  const folder = from.slice(0, from.lastIndexOf('/'))
  return `${from} imports ${target}: the SQL of a feature is in its store.ts, its tables in tables.ts, nowhere else. Add a function to ${folder}/store.ts and call that.`
})
