import { markdownText } from '#web/text/markdown.ts'
// oxlint-disable-next-line import/default -- Vite's `?worker&url` exports the address of the script that it builds
import frameUrl from './diagramFrame.ts?worker&url'

/** A drawn diagram as the address of an image, with its size in CSS pixels. */
export type DiagramImage = { src: string; width: number; height: number }

/** A diagram for the frame to draw, and the frame's reply. */
export type DiagramRequest = { id: number; code: string; dark: boolean; fontFamily: string }
export type DiagramReply = { id: number } & (DiagramImage | Refusal)
type Refusal = { refused: 'external' | 'tooLarge' | 'broken'; line?: number | undefined }

/** A slower diagram is not worth the wait. */
const MAX_DRAW_MS = 5000
const MAX_LOAD_MS = 20_000
/** The frame, and with it its process, is removed after this long without a diagram. */
const IDLE_MS = 10_000

let last = 0
let queue: Promise<unknown> = Promise.resolve()
let frame: Promise<Window> | null = null
let element: HTMLIFrameElement | undefined
let idle: ReturnType<typeof setTimeout> | undefined

/** Draws one diagram after the other. `refused` says why there is no picture. */
export function drawDiagram(code: string, inDark: boolean): Promise<DiagramImage | { refused: string }> {
  const drawing = queue.then(() => askFrame(code, inDark))
  queue = drawing.catch(() => undefined)
  return drawing
}

/** Rejects if the frame cannot be loaded. */
async function askFrame(code: string, dark: boolean): Promise<DiagramImage | { refused: string }> {
  clearTimeout(idle)
  try {
    frame ??= openFrame()
    const target = await frame
    const id = ++last
    const { fontFamily } = getComputedStyle(document.body)
    target.postMessage({ id, code, dark, fontFamily } satisfies DiagramRequest, '*')
    const reply = await waitForMessage<DiagramReply>(target, (data) => data.id === id, MAX_DRAW_MS)
    idle = setTimeout(closeFrame, IDLE_MS)
    if (reply === null) {
      closeFrame()
      return { refused: markdownText.diagramTooSlow(MAX_DRAW_MS / 1000) }
    }
    return 'refused' in reply ? { refused: describeRefusal(reply, code) } : reply
  } catch (error) {
    closeFrame()
    throw error
  }
}

/**
 * Code that cannot be interrupted lays a diagram out, from a text that anybody may have written. So it runs in a frame with an
 * opaque origin: the frame reaches neither the page nor other sites, browsers give it a process of its own, and it can be
 * discarded.
 */
async function openFrame(): Promise<Window> {
  const { href, origin } = new URL(frameUrl, import.meta.url)
  const policy = `default-src 'none'; script-src ${origin}; style-src 'unsafe-inline'`
  element = document.createElement('iframe')
  element.className = 'md-diagram-frame'
  element.setAttribute('sandbox', 'allow-scripts')
  element.ariaHidden = 'true'
  element.tabIndex = -1
  element.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><body><script type="module" src="${href}"></script>`
  document.body.append(element)
  const target = element.contentWindow
  const ready = target && (await waitForMessage<string>(target, (data) => data === 'ready', MAX_LOAD_MS))
  if (!ready) throw new Error('the frame for diagrams could not be loaded')
  return target
}

function closeFrame(): void {
  element?.remove()
  frame = null
}

/** Resolves with the first message of a window that `isWanted` accepts; null on timeout. */
function waitForMessage<T>(from: Window, isWanted: (data: T) => boolean, ms: number): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<T | null>()
  const listen = ({ source, data }: MessageEvent<T>) => {
    if (source === from && isWanted(data)) resolve(data)
  }
  addEventListener('message', listen)
  const timer = setTimeout(() => resolve(null), ms)
  return promise.finally(() => {
    removeEventListener('message', listen)
    clearTimeout(timer)
  })
}

function describeRefusal({ refused, line }: Refusal, code: string): string {
  if (refused === 'external') return markdownText.diagramRefused
  if (refused === 'tooLarge') return markdownText.diagramTooLarge
  const text = line && code.split('\n')[line - 1]?.trim()
  return line && text ? markdownText.diagramBrokenAt(line, text.slice(0, 60)) : markdownText.diagramBroken
}
