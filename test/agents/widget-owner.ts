import { useResource } from '../world/use-world.ts'
import type { World } from '../world/world.ts'
import { createAgent } from './agent.ts'

export const SITES = ['https://www.example.com', 'http://shop.example.com:8080']
const TEXTS = { '手册.md': '# 水位\n\n正常水位是 3.2 米，超过 4.5 米就要开闸放水。' }

/** A person whose agent, of one coin an answer, has a widget on two sites; `createAgent` adds another public agent. */
export const useWidgetOwner = (world: World) =>
  useResource(async () => {
    const client = await world.user()
    const owner = {
      client,
      saveWidget: (uuid: string, settings: object = {}) =>
        client.call('PUT /api/agent/{id}/widget', {
          params: { id: uuid },
          body: { enabled: true, sites: SITES, daily_limit: 100, ...settings },
        }),
      async createAgent(form: object = {}) {
        const created = await createAgent(world, client, TEXTS, { model: 'flat', visible: 2, ...form })
        await owner.saveWidget(created.uuid)
        return created
      },
    }
    return { ...owner, agent: await owner.createAgent({ refer_source: true, related_prompts: true }) }
  })
