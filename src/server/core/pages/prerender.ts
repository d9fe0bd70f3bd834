import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prerenderedPages } from '#contract/pages.ts'
import type { Log } from '../log.ts'
import { WEB_DIR } from './html-document.ts'
import type { PageObject } from './html-document.ts'

/** Returns the HTML of a page as a browser draws it first; null where the browser is to draw it by itself. */
export type Prerender = (page: PageObject) => Promise<string | null>

const BUNDLE = pathToFileURL(resolve(WEB_DIR, '.vite/prerender.js')).href
/** A greeting names the time of day. */
const MAX_AGE_MS = 60_000

/**
 * Draws pages for people who are not signed in, with the web's own components as the build bundled them: the HTML depends on
 * nothing but the page's props, which are the same for all of them, and is drawn at most once a minute.
 */
export function createPrerender(log: Log): Prerender {
  const pages = new Map<string, { key: string; drawn_at: number; html: Promise<string | null> }>()
  const draw = async (page: PageObject): Promise<string | null> => {
    try {
      const bundle = (await import(BUNDLE)) as { prerender: (page: PageObject) => Promise<string> }
      return await bundle.prerender(page)
    } catch (error) {
      log.error({ err: error, component: page.component }, 'a page could not be drawn for its HTML')
      return null
    }
  }
  return async (page) => {
    if (!isPrerendered(page)) return null
    // The query is not drawn.
    const plain = { ...page, url: page.url.split('?')[0]! }
    const key = JSON.stringify(plain)
    const last = pages.get(page.component)
    if (last?.key === key && Date.now() - last.drawn_at < MAX_AGE_MS) return last.html
    const html = draw(plain)
    pages.set(page.component, { key, drawn_at: Date.now(), html })
    return html
  }
}

/** Excludes chats whose address names a session, a message or a model: they are not empty, or not the general one. */
function isPrerendered({ component, props, url }: PageObject): boolean {
  if (props.user !== null || !prerenderedPages.some((name) => name === component)) return false
  return component !== 'Chat' || url === '/chat'
}
