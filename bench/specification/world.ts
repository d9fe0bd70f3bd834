import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress } from '#server/core/egress/egress.ts'
import { scriptedModels, startWorld } from '#test/world/world.ts'
import type { World } from '#test/world/world.ts'

/** Models with the names that the specification has rules for; each repeats the question. */
const NAMES = ['deepseek-chat', 'qwen-plus', 'farui-plus']

/** A model whose platform refuses every call. */
const BROKEN = 'broken-chat'

const PAGE = `<html><head><title>方塘</title></head><body><article><h1>方塘</h1>
<p>半亩方塘一鉴开，天光云影共徘徊。问渠那得清如许？为有源头活水来。</p></article></body></html>`

/** Starts the app with its doubles; returns also the address of a page that the app can read. */
export async function startSpecificationWorld(): Promise<{
  world: World
  siteUrl: string
  close(): Promise<void>
}> {
  const site = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const world = await startWorld({
    env: {
      SIGNUP_COINS: '1000000',
      EMBEDDING_MODEL: 'auto',
      WECHAT_APP_ID: 'wx1',
      WECHAT_APP_SECRET: 'secret',
    },
    egress: createEgress({
      resolve: async () => ['127.0.0.1'],
      isAllowedAddress: () => true,
      isAllowedPort: () => true,
    }),
    models({ url }) {
      const { platforms, models } = scriptedModels(url)
      const paid = NAMES.map((id) => ({
        ...models[0],
        id,
        name: id,
        offers: [{ platform: 'scripted', model: id, input: 200, output: 200 }],
      }))
      const broken = {
        ...models[0],
        id: BROKEN,
        name: BROKEN,
        offers: [{ platform: 'second', model: BROKEN, input: 200, output: 200 }],
      }
      return JSON.stringify({ platforms, models: [...paid, broken, ...models] })
    },
  })
  // Answers come slowly, in many events; each event of farui has the whole text so far, as with the real model.
  for (const name of NAMES) {
    const cumulative = name.startsWith('farui')
    world.upstream.script(name, { reply: (question) => question, chars: 4, every_ms: 20, cumulative })
  }
  world.upstream.script(BROKEN, { status: 400 })
  return {
    world,
    siteUrl: `http://site.example:${(site.address() as AddressInfo).port}/`,
    async close() {
      site.close()
      await world.close()
    },
  }
}
