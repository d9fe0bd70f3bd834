import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { ChatMessage } from '#contract/chat.ts'
import type { ChatModel } from '#contract/models.ts'
import { CHAT_ENTRIES, staticClosure, type Build } from './build.ts'
import { message, session, type Options } from './messages.ts'
import { createComparisons, type Comparisons } from './comparisons.ts'
import { shortAnswer } from './texts.ts'

/** A double of the server, with as much of the contract as the chat screen calls, so that only the web is measured. */
export type Double = {
  url: string
  /** Creates a conversation with this number of messages and returns its id. */
  seed: (messages: number) => string
  /** Creates a comparison with this number of turns and of models and returns its id. */
  seedComparison: Comparisons['seed']
  close: () => Promise<void>
}

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const model: ChatModel = {
  id: 'bench',
  name: 'bench',
  desc: '',
  vendor: '',
  tags: [],
  retires: null,
  thinking: null,
  platform: 'bench',
  context_window: 65536,
  max_tokens: 8192,
  capabilities: [],
  guest: true,
  available: true,
  local: false,
  input_price: 0,
  output_price: 0,
}

const prototypePage = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><link rel="stylesheet" href="/prototype/prototype.css">
<script type="module" src="/prototype/prototype.js"></script></head><body><div id="app"></div></body></html>`

function page(build: Build, url: string): string {
  if (url === '/prototype') return prototypePage
  const component = url.startsWith('/compare') ? 'Compare' : 'Chat'
  const props = {
    user: null,
    config: { app_url: '', environment: 'test', guest_turns: 5, sign_in: { phone: false, wechat: false } },
    errors: {},
  }
  const data = JSON.stringify({ component, props, url, version: '1' }).replaceAll('<', '\\u003c')
  const chunks = staticClosure(build.manifest, CHAT_ENTRIES)
  const styles = chunks.flatMap(({ css = [] }) =>
    css.map((file) => `<link rel="stylesheet" href="/${file}">`),
  )
  const preloads = chunks.map(({ file }) => `<link rel="modulepreload" href="/${file}">`)
  const main = build.manifest[CHAT_ENTRIES[0] ?? '']?.file
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
${styles.join('')}${preloads.join('')}<script type="module" src="/${main}"></script></head><body>
<script data-page="app" type="application/json">${data}</script><div id="app"></div></body></html>`
}

type Body = { sess_id?: string; prompt?: string; models?: string[] }

async function readBody(request: IncomingMessage): Promise<Body> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text || '{}') as Body
}

function stream(response: ServerResponse, run: string, { answer, head, chunkChars, chunkMs }: Options): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  const event = (n: number, deltaContent: string) =>
    response.write(`id: ${run}:${n}\ndata: ${JSON.stringify({ delta_content: deltaContent })}\n\n`)
  let n = 0
  if (head) event(n++, answer.slice(0, head))
  let at = head
  const timer = setInterval(() => {
    const text = answer.slice(at, (at += chunkChars))
    if (text) event(n++, text)
    else {
      clearInterval(timer)
      response.end('data: [DONE]\n\n')
    }
  }, chunkMs)
  response.on('close', () => clearInterval(timer))
}

export async function startDouble(build: Build, options: Options): Promise<Double> {
  const conversations = new Map<string, ChatMessage[]>()
  const seed = (count: number): string => {
    const sessId = randomUUID()
    const turns = Array.from({ length: count / 2 }, (_, i) => {
      const chatId = randomUUID()
      return [message(sessId, 'human', chatId, `问题 ${i}`), message(sessId, 'ai', chatId, shortAnswer(i))]
    })
    conversations.set(sessId, turns.flat())
    return sessId
  }

  const comparisons = createComparisons(options)

  const api = async (request: IncomingMessage, url: URL): Promise<unknown> => {
    const sessId = url.searchParams.get('sess_id') ?? ''
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /api/chat/models':
        return {
          models: [model, ...comparisons.models.map((id) => ({ ...model, id, name: id }))],
          default_model: model.id,
        }
      case 'GET /api/chat/sessions': {
        const items = [...conversations.keys()].map((id) => session(id))
        const total = items.length
        return { total, items, prev_url: null, next_url: null, cur_page: 1, from: 1, to: total }
      }
      case 'GET /api/chat/folders':
        return { folders: [] }
      case 'GET /api/chat/messages': {
        // All at once, beyond the page size of the real server: the benchmark measures opening them.
        return { messages: conversations.get(sessId) ?? [], has_more: false, session: session(sessId) }
      }
      case 'POST /api/chat/create': {
        const body = await readBody(request)
        const created = comparisons.ask(body)
        if (created) return created
        const chatId = randomUUID()
        const asked = message(body.sess_id ?? '', 'human', chatId, body.prompt ?? '')
        const answer = { ...message(asked.sess_id, 'ai', chatId, ''), status: 'typing' as const }
        conversations.get(asked.sess_id)?.push(asked, answer)
        return { chat_message: answer, question: asked, session: session(asked.sess_id) }
      }
      case 'GET /api/compare/messages':
        return comparisons.read(url.searchParams.get('chatbot') ?? '')
      case 'POST /api/compare/estimate':
        return { models: [], total: 0, max_total: 0, missing: 0 }
      default:
        return {}
    }
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://double')
    const answer = async () => {
      if (url.pathname === '/api/chat/completions' && url.searchParams.has('chatbot'))
        return comparisons.stream(response, url.searchParams.get('chat_id') ?? '')
      if (url.pathname === '/api/chat/completions') return stream(response, randomUUID(), options)
      if (url.pathname.startsWith('/api/')) {
        const body = JSON.stringify(await api(request, url))
        return response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
      }
      const type = types[extname(url.pathname)]
      if (!type)
        return response.writeHead(200, { 'Content-Type': 'text/html' }).end(page(build, request.url ?? '/'))
      const file = await readFile(join(build.dir, url.pathname))
      return response.writeHead(200, { 'Content-Type': type }).end(file)
    }
    answer().catch(() => response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seed,
    seedComparison: (turns, columns) => comparisons.seed(turns, columns),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
