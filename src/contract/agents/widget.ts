import { z } from 'zod'
import type { Calls } from '../call.ts'
import { DEFAULT_WIDGET_LIMIT, MAX_WIDGET_LIMIT, MAX_WIDGET_SITES } from './widget-visitor.ts'

/** Hosts that may stand in a Content-Security-Policy: names and IPv4 addresses. */
const HOST = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/

/**
 * Returns the origin of a site as its owner writes it: `www.example.com/shop` is `https://www.example.com`. Returns null for text
 * that is no site, and for names with wildcards.
 */
function parseSite(text: string): string | null {
  const address = text.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`)
  if (!url || !['https:', 'http:'].includes(url.protocol)) return null
  if (url.username || url.password || !HOST.test(url.hostname)) return null
  return url.origin
}

const site = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .transform((text, context) => {
    const origin = parseSite(text)
    if (origin) return origin
    context.addIssue({ code: 'custom', message: '请填写网站的地址，例如 https://www.example.com' })
    return z.NEVER
  })

/** Permission to embed an agent, the sites for it, and the limit on its visitors' cost to the owner. */
const agentWidget = z
  .object({
    enabled: z.boolean().describe('是否可以嵌入网站'),
    sites: z.array(z.string()).describe('允许嵌入的网站的地址'),
    daily_limit: z.number().describe('访客每天最多花费的金币'),
    used_today: z.number().describe('访客今天花费的金币'),
  })
  .describe('嵌入的设置')
export type AgentWidget = z.output<typeof agentWidget>

/** The part of an agent that the page in the frame shows. */
export type WidgetAgent = {
  uuid: string
  name: string
  logo: string
  welcome: string
  prompts: string[]
}

const params = z.object({ id: z.uuid().describe('智能体的编号') })

export const widgetCalls = {
  'GET /api/agent/{id}/widget': {
    summary: '智能体的网站嵌入设置',
    auth: 'user',
    params,
    response: z.object({ data: agentWidget }),
    errors: ['agent_not_found'],
  },
  'PUT /api/agent/{id}/widget': {
    summary: '设置智能体能否嵌入网站、允许哪些网站、每天最多花费多少金币',
    auth: 'user',
    params,
    body: z.object({
      enabled: z.boolean().default(false).describe('是否可以嵌入网站'),
      sites: z
        .array(site)
        .max(MAX_WIDGET_SITES)
        .transform((origins) => [...new Set(origins)])
        .default([])
        .describe('允许嵌入的网站的地址'),
      daily_limit: z
        .number()
        .min(0.01)
        .max(MAX_WIDGET_LIMIT)
        .default(DEFAULT_WIDGET_LIMIT)
        .describe('访客每天最多花费的金币'),
    }),
    response: z.object({ data: agentWidget }),
    errors: ['agent_not_found', 'rate_limited'],
  },
} as const satisfies Calls
