import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { AdminError } from '#server/admin/admin-error.ts'
import { executeModelsCommand } from '#server/admin/models/models.ts'
import { models, priceMap } from './price-map.ts'

type MapServer = {
  url: string
  /** Its answers, by path; `/moved` leads to `/map.json`. */
  pages: Record<string, string>
  asked: { path: string; authorization: string | undefined; api_key: string | undefined }[]
  close(): Promise<void>
}

/** Serves maps, and records the keys of its requests. */
async function startMapServer(): Promise<MapServer> {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const { authorization, 'x-api-key': apiKey } = request.headers
    maps.asked.push({ path, authorization, api_key: apiKey?.toString() })
    const page = maps.pages[path]
    if (path === '/moved') response.writeHead(302, { location: '/map.json' }).end()
    else if (page === undefined) response.writeHead(404).end()
    else response.end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const maps: MapServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages: {},
    asked: [],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return maps
}

type Said = { code: number; output: string }
const KEYS = { OPENAI_KEY: 'sk-openai', ANTHROPIC_KEY: 'sk-anthropic' }

/** A models file in a folder of its own for each test, a server of maps, and `npm run admin -- models` on them. */
export function useModels() {
  const world = { url: '', folder: '', file: '', maps: {} as MapServer }
  beforeAll(async () => {
    world.maps = await startMapServer()
    world.url = world.maps.url
  })
  afterAll(() => world.maps.close())
  beforeEach(async () => {
    world.maps.asked = []
    world.maps.pages = { '/map.json': JSON.stringify(priceMap(), null, 2) }
    const folder = await mkdtemp(join(tmpdir(), 'wenqu-models-'))
    world.folder = folder
    world.file = join(folder, 'models.json')
    await writeFile(world.file, `${JSON.stringify(models(world.url), null, 2)}\n`)
    return () => rm(folder, { recursive: true })
  })
  return {
    world,
    /** Returns the output of `npm run admin -- models <words>`. */
    admin: async (...words: string[]): Promise<Said> => {
      try {
        return { code: 0, output: await executeModelsCommand({ words, file: world.file, env: KEYS }) }
      } catch (error) {
        if (error instanceof AdminError) return { code: 1, output: error.message }
        throw error
      }
    },
    /** Runs the command itself: beside no server, and without a database. */
    runAdmin: (...words: string[]): Promise<Said> => {
      const { file, folder } = world
      const env = { PATH: process.env['PATH'], MODELS_FILE: file, DATA_DIR: join(folder, 'data'), ...KEYS }
      return new Promise((resolve) => {
        execFile(
          process.execPath,
          ['scripts/admin.ts', 'models', ...words],
          { env },
          (error, stdout, stderr) => {
            resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
          },
        )
      })
    },
    setMap: (changes: Record<string, object>): void => {
      world.maps.pages['/map.json'] = JSON.stringify({ ...priceMap(), ...changes }, null, 2)
    },
    listFiles: async (): Promise<string[]> =>
      (await readdir(world.folder)).filter((name) => name !== 'data').toSorted(),
  }
}
