import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { anthropic } from './anthropic.ts'
import { watchArrivals } from './arrivals.ts'
import { gemini } from './gemini.ts'
import { renderModelsFile } from './models-file.ts'
import type { UpstreamModel } from './models-file.ts'
import { createOpenaiDouble } from './openai.ts'
import { findRefusal, resolvePlatform } from './refusals/refusals.ts'
import type { Script, ProtocolDouble, ReceivedPicture, ScriptedRequest } from './script.ts'
import { parseForm, resolveOperation } from './operations.ts'

export type { Script } from './script.ts'

/** A request as the upstream saw it. */
type UpstreamRequest = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  /** Parsed JSON, or the fields of a form; the raw text when it is neither. */
  body: unknown
  /** The decoded pictures of a chat. */
  pictures: ReceivedPicture[]
  /** The client hung up before the answer was whole. */
  aborted: boolean
  /** The whole answer was handed over. */
  answered: boolean
}

export type Upstream = {
  /** `http://127.0.0.1:{port}/v1`, a platform's `base_url` in every dialect. */
  url: string
  /**
   * The address of a platform as strict as the real one (see refusals/platforms.ts). At `url` the dialect decides on refusals.
   */
  platformUrl(platform: string): string
  /** The refusals so far; each came before any script was considered. */
  refusals: { path: string; rule: string; status: number; body: object }[]
  /** Refusals until the next `checkRefusals` are expected. */
  expectRefusal(): void
  /** Throws an error that lists the unexpected refusals, and forgets them. */
  checkRefusals(): void
  /** Every request so far, oldest first. */
  requests: UpstreamRequest[]
  /** Number of connections that were opened so far. */
  connections(): number
  /** Waits until it has every request that an app in this process has begun. */
  waitForArrivals(): Promise<void>
  /** Sets how a model answers from here on; of several scripts each call takes the next, the last one stays. */
  script(model: string, ...scripts: Script[]): void
  /** Ends the stalls of all scripts, including those that no call has reached. */
  release(): void
  /** Forgets every request and script. */
  reset(): void
  /** Returns the text of a MODELS_FILE that offers these models through this upstream. */
  renderModelsFile(...models: UpstreamModel[]): string
  close(): Promise<void>
}

type Options = {
  port?: number
  /** Answers for a model without a script; by default it repeats the question. */
  answer?: (question: string, model: string) => Script
}

/** Starts a server over real HTTP that speaks every dialect, told apart by path, and follows its scripts, faults included. */
export async function startUpstream({ port = 0, answer = echo }: Options = {}): Promise<Upstream> {
  const requests: UpstreamRequest[] = []
  const refusals: Upstream['refusals'] = []
  let isRefusalExpected = false
  let gate = Promise.withResolvers<void>()
  const scripts = new Map<string, { queue: Script[]; released: Promise<void> }>()

  /** Takes a call's script with its release at once, so that a later release applies however far the call has come. */
  const nextScript = (
    { model, question }: ScriptedRequest,
    sent: string,
  ): { script: Script; released: Promise<void> } => {
    const { queue, released } = scripts.get(model) ?? { queue: [], released: gate.promise }
    const script = takeScript(queue, sent) ?? answer(question, model)
    return { script: script.reply ? { ...script, text: script.reply(question) } : script, released }
  }

  const server = createServer((request, response) => {
    void respond(request, response).catch(() => response.destroy())
  })

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await buffer(request).finally(() => arrivals.note(request))
    const { method = '', url: path = '', headers } = request
    const body = (await parseForm(sent, headers)) ?? parseBody(sent.toString())
    const seen: UpstreamRequest = {
      method,
      path,
      headers,
      body,
      pictures: [],
      aborted: false,
      answered: false,
    }
    requests.push(seen)
    let hungUp = false
    const disconnect = new AbortController()
    response.on('close', () => {
      seen.aborted = !response.writableFinished && !hungUp
      disconnect.abort()
    })
    response.on('finish', () => {
      seen.answered = true
    })
    if (path.endsWith('/models')) {
      const data = Array.from(scripts.keys(), (id) => ({ id, object: 'model', owned_by: 'script' }))
      return json(response, 200, { object: 'list', data })
    }
    const platform = resolvePlatform(path)
    const refusal = findRefusal(platform, path, body)
    if (refusal) {
      refusals.push({ path, ...refusal })
      return json(response, refusal.status, refusal.body)
    }
    const protocol = resolveProtocol(path, platform)
    const scriptedRequest = protocol.parseRequest(path, seen.body)
    seen.pictures = protocol.listPictures?.(seen.body) ?? []
    const { script, released } = nextScript(scriptedRequest, sent.toString())
    const waitForRelease = async (): Promise<void> => {
      const left = once(disconnect.signal, 'abort')
      await Promise.race([released, left])
    }
    if (script.delay_ms) await sleep(script.delay_ms)
    if (script.stall === 'headers') await waitForRelease()
    if (script.status !== undefined && script.status !== 200) {
      response.writeHead(script.status, { 'content-type': 'application/json', ...script.headers })
      response.end(script.body ?? JSON.stringify(protocol.renderError(script.status)))
      return
    }
    if (script.json || !scriptedRequest.stream)
      return json(response, 200, protocol.renderBody(scriptedRequest, script), script.headers)

    response.writeHead(200, {
      'content-type': protocol.media_type ?? 'text/event-stream; charset=utf-8',
      ...script.headers,
    })
    response.flushHeaders()
    if (script.stall === 'body') await waitForRelease()
    let index = 0
    for (const frame of script.raw ?? protocol.renderFrames(scriptedRequest, script)) {
      if (response.destroyed) return
      if (script.stall === index) await waitForRelease()
      if (script.cut === index) {
        hungUp = true
        response.write(cutInsideCharacter(Buffer.from(frame)), () => response.destroy())
        return
      }
      if (!response.write(frame)) await once(response, 'drain', { signal: disconnect.signal })
      if (script.every_ms) await sleep(script.every_ms, undefined, { signal: disconnect.signal })
      index += 1
    }
    if (script.cut === index) {
      hungUp = true
      response.destroy()
    } else response.end()
  }

  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `${origin}/v1`
  const arrivals = watchArrivals(origin)

  const release = (): void => {
    gate.resolve()
    gate = Promise.withResolvers<void>()
  }
  return {
    url,
    platformUrl: (platform) => `${origin}/${platform}/v1`,
    requests,
    refusals,
    expectRefusal: () => {
      isRefusalExpected = true
    },
    checkRefusals: () => {
      const unexpected = isRefusalExpected ? [] : [...refusals]
      isRefusalExpected = false
      refusals.length = 0
      if (!unexpected.length) return
      const lines = unexpected.map(({ path, rule, status }) => `  ${path}: ${rule} (${status})`)
      throw new Error(`The platform refused what no test expected it to:\n${lines.join('\n')}`)
    },
    connections: () => connections,
    waitForArrivals: () => arrivals.wait(),
    script: (model, ...queue) => void scripts.set(model, { queue, released: gate.promise }),
    release,
    reset: () => {
      release()
      requests.length = 0
      refusals.length = 0
      isRefusalExpected = false
      scripts.clear()
    },
    renderModelsFile: (...models) => renderModelsFile(url, models),
    close: async () => {
      arrivals.stop()
      gate.resolve()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Returns the first script that fits, and removes it, unless it is the last one for the same calls. */
function takeScript(queue: Script[], sent: string): Script | undefined {
  const script = queue.find(({ when }) => when === undefined || sent.includes(when))
  const isLast = queue.filter(({ when }) => when === script?.when).length < 2
  if (script && !isLast) queue.splice(queue.indexOf(script), 1)
  return script
}

function echo(question: string): Script {
  return { text: question }
}

function parseBody(sent: string): unknown {
  try {
    return JSON.parse(sent)
  } catch {
    return sent
  }
}

function resolveProtocol(path: string, platform: string): ProtocolDouble {
  if (path.endsWith('/messages')) return anthropic
  const work = resolveOperation(path)
  if (work) return work
  return /:(streamG|g)enerateContent\b/.test(path) ? gemini : createOpenaiDouble(platform)
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Script['headers'] = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Returns a frame up to the first byte of its first character with several; half of the frame when none has. */
function cutInsideCharacter(frame: Buffer): Buffer {
  const first = frame.findIndex((byte) => byte >= 0x80)
  return frame.subarray(0, first === -1 ? Math.ceil(frame.length / 2) : first + 1)
}
