import { globSync, readFileSync, statSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseSync, Visitor } from 'vite'
import { upload } from '#test/files/upload.ts'
import { startWorld, type World } from '#test/world/world.ts'
import type { Client } from '#test/world/client.ts'

// `node bench/house.ts` measures how much there is to read: rooms, floors, long functions, and for four ways through the server the
// files of which a function runs. DATABASE_URL may name a PostgreSQL. RESULTS.md has the figures of before and after a change.

const LONG_FUNCTION_LINES = 60
const RELATIVE = /^\/?[*/\s]*(What|Who|Whom|Whose|Of|Whether)\b/

type Source = { path: string; text: string }
const read = (pattern: string): Source[] =>
  globSync(pattern, { exclude: ['bench/peers/**'] }).map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(path, 'utf8'),
  }))

const product = read('src/**/*.{ts,tsx}').filter(({ path }) => !/\.test\.tsx?$/.test(path))
for (const side of ['contract', 'server', 'web']) describeSide(side)
describeCode()
for (const path of ['README.md', 'ARCHITECTURE.md']) console.log(`${path}: ${statSync(path).size} bytes`)
await describeWays()

/** Prints the rooms of a side, and the length of the longest chain of rooms that import each other downwards. */
function describeSide(side: string): void {
  const files = product.filter(({ path }) => path.startsWith(`src/${side}/`))
  const getRoom = (path: string): string => path.split('/')[2] ?? ''
  const rooms = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    const room = getRoom(path)
    if (room.includes('.')) continue
    const targets = rooms.get(room) ?? new Set<string>()
    for (const [, target = ''] of text.matchAll(new RegExp(`'#${side}/([^/']+)/[^']*'`, 'g')))
      if (target !== room) targets.add(target)
    rooms.set(room, targets)
  }
  const depths = new Map<string, number>()
  const measureDepth = (room: string): number => {
    const known = depths.get(room)
    if (known !== undefined) return known
    // A foreign key between tables may lead back here.
    depths.set(room, 0)
    const below = [...(rooms.get(room) ?? [])].map(measureDepth)
    const depth = 1 + Math.max(0, ...below)
    depths.set(room, depth)
    return depth
  }
  const floors = Math.max(0, ...[...rooms.keys()].map(measureDepth))
  console.log(`${side}: ${rooms.size} rooms on ${floors} floors, ${files.length} files`)
}

/** Prints figures of all code: comments, names and functions. */
function describeCode(): void {
  let [comments, relative, functions, long, names, snake] = [0, 0, 0, 0, 0, 0]
  const countName = (node: { type: string; name?: unknown } | null): void => {
    if (node?.type !== 'Identifier') return
    names++
    if (/^[a-z]+\w*_[a-z]/.test(String(node.name))) snake++
  }
  for (const { path, text } of product) {
    const parsed = parseSync(path, text)
    comments += parsed.comments.length
    relative += parsed.comments.filter(({ value }) => RELATIVE.test(value)).length
    const countLines = ({ start, end }: { start: number; end: number }): void => {
      functions++
      if (text.slice(start, end).split('\n').length > LONG_FUNCTION_LINES) long++
    }
    new Visitor({
      FunctionDeclaration: countLines,
      FunctionExpression: countLines,
      ArrowFunctionExpression: countLines,
      VariableDeclarator: ({ id }) => countName(id),
    }).visit(parsed.program)
  }
  console.log(`comments: ${comments}, ${relative} begin with a relative word`)
  console.log(`locals: ${names}, ${snake} in snake case`)
  console.log(`functions: ${functions}, ${long} over ${LONG_FUNCTION_LINES} lines`)
}

/** Prints for each way the files of src/server of which a function runs, on a server that has gone it before. */
async function describeWays(): Promise<void> {
  const world = await startWorld()
  const client = await world.user()
  const ways = await prepareWays(world, client)
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  for (const [name, walk] of Object.entries(ways)) {
    world.upstream.script('scripted', { text: '1. 活水。' })
    await walk()
    await session.post('Profiler.takePreciseCoverage')
    world.upstream.script('scripted', { text: '1. 活水。' })
    await walk()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const paths = result
      .filter(
        ({ url, functions }) =>
          /\/src\/server\//.test(url) &&
          functions.some(({ functionName, ranges }) => functionName && ranges[0]!.count > 0),
      )
      .map(({ url }) => url.replace(/^.*\/src\/server\//, ''))
    const rooms = new Set(paths.map((path) => path.split('/')[0]))
    console.log(`${name}: ${paths.length} files in ${rooms.size} rooms`)
  }
  session.disconnect()
  await world.close()
}

async function prepareWays(world: World, client: Client): Promise<Record<string, () => Promise<unknown>>> {
  const key = await client.call('POST /api/api_keys', { body: { name: '程序' } })
  const { uuid } = await client.call('POST /api/agent', { body: { name: '方塘' } })
  return {
    'a relayed call': async () => {
      const response = await fetch(`${world.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key.raw_value}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          model: 'scripted',
          stream: true,
          messages: [{ role: 'user', content: '何为活水？' }],
        }),
      })
      return response.text()
    },
    'the page of API keys': async () => {
      await client.call('GET /api/api_keys', {})
      const { uuid: id } = await client.call('POST /api/api_keys', { body: { name: '又一个' } })
      await client.call('DELETE /api/api_keys/{id}', { params: { id } })
    },
    'a question to an agent': () => client.ask('何为活水？', { chatbot: `zhiku-${uuid}` }),
    'a translated document': async () => {
      const content = `# Half a pond, ${Math.random()}`
      const { id: block } = await upload(world, client, { name: 'pond.md', content, channel: 'fanyi' })
      const body = { biz_type: 'file', block, target_lang: 'zh-CN', model: 'scripted' } as const
      const { chat_id: id } = await client.call('POST /api/translate', { body })
      for (let status = 0; status <= 1; await sleep(50))
        ({ status } = await client.call('GET /api/task/{id}/result', { params: { id }, query: { after: 0 } }))
    },
  }
}
