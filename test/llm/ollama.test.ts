import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadCatalogue } from '#server/llm/catalogue/catalogue.ts'
import type { Catalogue } from '#server/llm/catalogue/catalogue.ts'
import type { Env } from '#server/llm/catalogue/offers.ts'
import { resolveOllamaUrl } from '#server/llm/catalogue/ollama.ts'

const LOCAL_ONLY = JSON.stringify({
  platforms: [{ name: 'local', alias: '本地演示', dialect: 'local' }],
  models: [
    {
      id: 'wenqu-local',
      name: '本地演示模型',
      type: 'chat',
      guest: true,
      offers: [{ platform: 'local', model: 'x', input: 0, output: 0 }],
    },
  ],
})

async function startOllama(answer: string, status = 200, onAnswered = () => {}): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/api/tags' ? status : 404, { 'content-type': 'application/json' })
    response.end(answer, onAnswered)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function openCatalogue(env: Env, text = LOCAL_ONLY): { catalogue: Catalogue; logged: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'wenqu-ollama-'))
  const file = join(folder, 'models.json')
  writeFileSync(file, text)
  const logged: string[] = []
  const note = (_: unknown, message = ''): void => void logged.push(message)
  const catalogue = loadCatalogue({ file, env, log: { info: note, warn: note, error: note } })
  onTestFinished(() => {
    catalogue.close()
    rmSync(folder, { recursive: true })
  })
  return { catalogue, logged }
}

test('an Ollama is found by itself: its chat models cost nothing and take the place of the stand-in', async () => {
  const tags = {
    models: [
      { name: 'qwen3:8b', details: { family: 'qwen3' } },
      { name: 'bge-m3', details: { family: 'bert' } },
      { name: 'plain' },
      { name: 'llava', details: { family: 'llama', families: ['llama', 'clip'] } },
    ],
  }
  const host = await startOllama(JSON.stringify(tags))
  const { catalogue } = openCatalogue({ OLLAMA_HOST: host })
  expect(catalogue.getDefaultModel()).toBe('wenqu-local')
  await expect
    .poll(() => catalogue.listChatModels().map(({ id }) => id))
    .toEqual(['qwen3:8b', 'plain', 'llava'])
  expect(catalogue.listChatModels().map(({ capabilities }) => capabilities)).toEqual([[], [], ['vision']])
  expect(catalogue.getDefaultModel({ guest: true })).toBe('qwen3:8b')
  expect(catalogue.listChatModels()[0]).toMatchObject({ available: true, input_price: 0, output_price: 0 })
  expect(catalogue.listOffers('qwen3:8b')[0]).toMatchObject({
    platform: 'ollama',
    base_url: `http://${host}/v1`,
  })
})

test.each([
  ['what is no Ollama', '{"hello": 1}', 200],
  ['an error', '{"models":[]}', 500],
])('%s on its port changes nothing', async (_, answer, status) => {
  const told = Promise.withResolvers<void>()
  const host = await startOllama(answer, status, told.resolve)
  const { catalogue } = openCatalogue({ OLLAMA_HOST: host })
  await told.promise
  // A call that begins after the answer was sent ends after it was read.
  expect((await fetch(`http://${host}/`)).status).toBe(404)
  expect(catalogue.getDefaultModel()).toBe('wenqu-local')
})

describe('where it is looked for', () => {
  test.each<[Env, string | null]>([
    [{}, 'http://127.0.0.1:11434'],
    [{ OLLAMA_HOST: '' }, 'http://127.0.0.1:11434'],
    [{ OLLAMA_HOST: '0.0.0.0' }, 'http://127.0.0.1:11434'],
    [{ OLLAMA_HOST: '0.0.0.0:8080' }, 'http://127.0.0.1:8080'],
    [{ OLLAMA_HOST: ':9000' }, 'http://127.0.0.1:9000'],
    [{ OLLAMA_HOST: 'box:80' }, 'http://box:80'],
    [{ OLLAMA_HOST: 'http://box' }, 'http://box:11434'],
    [{ OLLAMA_HOST: 'https://box.example/' }, 'https://box.example:443'],
    [{ OLLAMA_HOST: 'not a host' }, null],
    [{ OLLAMA_HOST: 'box', WENQU_OLLAMA: 'off' }, null],
  ])('%o', (env, url) => {
    expect(resolveOllamaUrl(env)).toBe(url)
  })
})
