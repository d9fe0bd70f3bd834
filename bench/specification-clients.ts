import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { launchBrowser } from '#test/world/browser.ts'
import { startSpecificationWorld } from './specification/world.ts'

// Runs two clients that know nothing but the specification through each of its calls, some of them several times: a program, and
// a page in a browser whose bodies are all forms. Prints a table of calls; fails where one differs without a known reason. `node
// bench/specification-clients.ts`

const FOLDER = fileURLToPath(new URL('specification/', import.meta.url))
const IN_PAGE = readFileSync(join(FOLDER, 'client.js'), 'utf8')

/** Known differences between the product and a client's expectation, with the reason. */
const KNOWN: Record<string, string> = {
  'POST /auth/phone, signed in: binds':
    'a code sent to the address that is there confirms the one that is added',
  'GET /user/info, after POST /auth/phone, signed in: binds': 'as above',
  'GET /session/{id}/messages, own session':
    'a conversation is shared by a link of its own, which can be taken back',
  'GET /session/{id}/messages, a guest by the link': 'a link tells nobody how a question was asked',
  'DELETE /chat/messages': 'nothing is deleted that is not named',
  'GET /compare/messages, chatbot compare-1': 'there is no comparison with this id',
  'GET /agent/{id}, after prompts as an empty list': 'a form has no way to write an empty list',
  'GET /api_keys': 'a key lives until the end of its day in China, and an answer has moments',
}

/** Names a page's next step: a function of client.js and its arguments. */
type Asked = { page: number; name: string; args: unknown[] }

const started = await startSpecificationWorld()
const { world, siteUrl } = started
const browser = await launchBrowser()
const pages = new Map<number, Promise<Page>>()

/** Opens a page of the app, in a profile of its own, with client.js. */
async function openPage(): Promise<Page> {
  const page = await browser.visit(`${world.url}/healthz`)
  await page.evaluate(IN_PAGE)
  return page
}

const bridge = createServer((request, response) => {
  const answer = async (): Promise<unknown> => {
    const { page: number, ...asked } = (await json(request)) as Asked
    if (!pages.has(number)) pages.set(number, openPage())
    const page = await pages.get(number)!
    return page.evaluate(({ name, args }) => {
      const { client } = globalThis as unknown as { client: Record<string, (...given: unknown[]) => unknown> }
      return client[name]!(...args)
    }, asked)
  }
  answer().then(
    (body) => response.end(JSON.stringify(body)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
}).listen(0, '127.0.0.1')
await once(bridge, 'listening')

/** Runs client.py and returns its result for each call, in order. */
async function walk(...more: string[]): Promise<Map<string, string>> {
  const args = ['-B', join(FOLDER, 'client.py'), world.url, join(world.data_dir, 'outbox'), siteUrl, ...more]
  const client = spawn('python3', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(client.stdout), once(client, 'close')])
  if (!output.endsWith('calls are missing\n'))
    throw new Error(`client.py broke off after:\n${output.slice(-500)}`)
  const lines = output.split('\n').map((line) => line.split('\t') as [string, string?])
  const results = new Map<string, string>()
  for (const [call, result] of lines) {
    // A call that was made twice in the same way is ok when both were.
    if (result !== undefined && (results.get(call) ?? 'ok') === 'ok') results.set(call, result)
  }
  return results
}

try {
  const bridgeUrl = `http://127.0.0.1:${(bridge.address() as AddressInfo).port}`
  const [program, page] = [await walk(), await walk(bridgeUrl)]
  const show = (result = 'not called'): string => (result === 'ok' ? '✓' : result.replaceAll('|', '\\|'))
  console.log('| Call | Program | Browser |\n|---|---|---|')
  const calls = [...new Set([...program.keys(), ...page.keys()])]
  for (const call of calls) console.log(`| ${call} | ${show(program.get(call))} | ${show(page.get(call))} |`)
  const differing = calls.filter((call) => program.get(call) !== 'ok' || page.get(call) !== 'ok')
  const unknown = differing.filter((call) => !(call in KNOWN))
  for (const call of differing) console.log(`- ${call}: ${KNOWN[call] ?? 'nobody knows why'}`)
  console.log(`\n${calls.length} calls, ${differing.length} differ, ${unknown.length} for no reason`)
  process.exitCode = unknown.length ? 1 : 0
} finally {
  bridge.close()
  await browser.close()
  await started.close()
}
