import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { ChatMessage, ChatSession } from '#contract/chat.ts'
import { CHAT_ENTRIES, staticClosure, type Build } from './build.ts'
import { shortAnswer } from './texts.ts'

/** A double of the server, with as much of the contract as the chat screen asks for, so that only the web is measured. */
export type Double = {
  url: string
  /** Puts a conversation of so many messages there and returns its id. */
  seed: (messages: number) => string
  close: () => Promise<void>
}
/** The answer comes with its first `head` characters at once, then `chunkChars` every `chunkMs`. */
type Options = { answer: string; head: number; chunkChars: number; chunkMs: number }

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const session = (id: string): ChatSession => ({
  id,
  chatbot: 'dati',
  title: '注意力机制与工程实现',
  pinned: false,
  model: 'bench',
  current: true,
  updated_at: new Date().toISOString(),
})

const message = (
  sess_id: string,
  role: 'human' | 'ai',
  chat_id: string,
  text: string,
  id = randomUUID(),
): ChatMessage => ({
  id,
  sess_id,
  chat_id,
  role,
  text,
  model: 'bench',
  chat_model: 'bench',
  content_type: 'text',
  stream: true,
  status: 'done',
  error: null,
  tools: [],
  agent: null,
  block: null,
  quick_action: null,
  related_prompts: [],
  search: null,
  wants_related: false,
  reasoning: '',
  reasoning_ms: null,
  versions: [id],
  continuable: false,
  figures: null,
  created_at: new Date().toISOString(),
})

const model = {
  id: 'bench',
  name: 'bench',
  desc: '',
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

function page(build: Build, url: string): string {
  const props = { user: null, config: { app_url: '', environment: 'test', guest_turns: 5 }, errors: {} }
  const data = JSON.stringify({ component: 'Chat', props, url, version: '1' }).replaceAll('<', '\\u003c')
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

async function readBody(request: IncomingMessage): Promise<{ sess_id?: string; prompt?: string }> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text || '{}') as { sess_id?: string; prompt?: string }
}

function stream(response: ServerResponse, run: string, { answer, head, chunkChars, chunkMs }: Options): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  const event = (n: number, delta_content: string) =>
    response.write(`id: ${run}:${n}\ndata: ${JSON.stringify({ delta_content })}\n\n`)
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
    const sess_id = randomUUID()
    const turns = Array.from({ length: count / 2 }, (_, i) => {
      const chat_id = randomUUID()
      return [
        message(sess_id, 'human', chat_id, `问题 ${i}`),
        message(sess_id, 'ai', chat_id, shortAnswer(i)),
      ]
    })
    conversations.set(sess_id, turns.flat())
    return sess_id
  }

  const api = async (request: IncomingMessage, url: URL): Promise<unknown> => {
    const sess_id = url.searchParams.get('sess_id') ?? ''
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /api/chat/models':
        return { models: [model], default_model: model.id }
      case 'GET /api/chat/sessions': {
        const items = [...conversations.keys()].map(session)
        const total = items.length
        return { total, items, prev_url: null, next_url: null, cur_page: 1, from: 1, to: total }
      }
      case 'GET /api/chat/messages': {
        // All at once, beyond the page size of the real server: opening them is what is measured.
        return { messages: conversations.get(sess_id) ?? [], has_more: false, session: session(sess_id) }
      }
      case 'POST /api/chat/create': {
        const body = await readBody(request)
        const chat_id = randomUUID()
        const asked = message(body.sess_id ?? '', 'human', chat_id, body.prompt ?? '')
        const answer = { ...message(asked.sess_id, 'ai', chat_id, ''), status: 'typing' as const }
        conversations.get(asked.sess_id)?.push(asked, answer)
        return { chat_message: answer, question: asked, session: session(asked.sess_id) }
      }
      default:
        return {}
    }
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://double')
    const answer = async () => {
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
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
