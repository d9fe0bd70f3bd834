import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { renderLinkPreview } from './link-preview.ts'
import type { LinkPreview } from './link-preview.ts'

/** A page as the browser receives it: its component, its props, its url, the version of the assets. */
export type PageObject = { component: string; props: Record<string, unknown>; url: string; version: string }

/** Information for programs: search engines, and those that preview links. */
type PageMeta = { noindex: boolean; preview: LinkPreview }

export type HtmlDocument = {
  /** Changes with every build: a browser with older assets makes a full page load. */
  version: string
  /** `picture`: the HTML of the page itself; when absent, an overlay is shown until the script has drawn the page. */
  render(page: PageObject, meta: PageMeta, picture?: string | null): string
  /** Returns the Content-Security-Policy of a page that these sites may show in a frame. */
  createCsp(frameAncestors: string): string
}

type Manifest = Record<
  string,
  { file: string; css?: string[]; imports?: string[]; dynamicImports?: string[] }
>

const ENTRY = 'src/web/main.tsx'
/** Imports every page but the chat's, which the entry imports by itself. */
const PAGE_LOADERS = 'src/web/shell/pageLoaders.ts'
export const WEB_DIR = resolve('dist/web')
const BOOT_SCRIPT = '<script src="/boot.js"></script>'
const BOOT =
  '<div id="app"><div class="boot" role="status"><img src="/favicon.svg" alt=""><span>正在载入…</span></div></div>'
/**
 * The first picture is shown whole: its parts stand in the middle of the window, and those above would move when more of the HTML
 * comes. Chromium waits for this element, other browsers draw what they have (HTML standard, link type "expect").
 */
const PICTURE_END = '<template id="picture-end"></template>'
const EXPECT_PICTURE = '<link rel="expect" href="#picture-end" blocking="render">'
const ESCAPES: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' }

/** Origins of Tencent Captcha's script, frame and pictures. */
const CAPTCHA_ORIGINS = 'https://*.captcha.qcloud.com https://*.captcha.gtimg.com'
const IMG_SRC = "img-src 'self' data: blob:"

const CSP = [
  "default-src 'self'",
  // KaTeX and the list position elements by style attributes.
  "style-src 'self' 'unsafe-inline'",
  // The page loads nothing that an answer or a share names: remote images are links.
  IMG_SRC,
  // Sentences read aloud.
  "media-src 'self' blob:",
  // KaTeX's smallest font is inlined by the build.
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
].join('; ')

type DocumentOptions = {
  vite_dev_url: string | null
  /** Origin to which pages upload files, besides this site. */
  store_origin: string | null
  /** Tencent Captcha may be shown. */
  has_captcha: boolean
  /** The beginning of links in previews. */
  app_url: string
}

/** Makes the HTML around every page: from the build's manifest, or from the Vite dev server when its address is given. */
export function createHtmlDocument({
  vite_dev_url,
  store_origin,
  has_captcha,
  app_url,
}: DocumentOptions): HtmlDocument {
  if (vite_dev_url) return createDevelopmentDocument(vite_dev_url, app_url)
  const manifest = JSON.parse(readFileSync(resolve(WEB_DIR, '.vite/manifest.json'), 'utf8')) as Manifest
  const entry = manifest[ENTRY]
  if (!entry) throw new Error(`${ENTRY} is not in the build's manifest: run npm run build`)
  const main = collectFiles(manifest, ENTRY)
  /** Where there is a picture, the script waits for the files that the picture needs. */
  const renderHead = (priority: string): string =>
    priority
      ? `<script src="/boot.js" data-entry="/${entry.file}"></script>${renderTags(main, priority)}`
      : `${BOOT_SCRIPT}${renderTags(main, '')}<script type="module" src="/${entry.file}"></script>`
  // A page's own chunks are requested together with the entry, not after it has run.
  const renderPageTags = (component: string, priority: string): string => {
    const page = `src/web/pages/${component}.tsx`
    const pageFiles = collectFiles(
      manifest,
      page,
      ...(entry.dynamicImports?.includes(page) ? [] : [PAGE_LOADERS]),
    )
    const tags = {
      scripts: pageFiles.scripts.difference(main.scripts),
      styles: pageFiles.styles.difference(main.styles),
    }
    return renderTags(tags, priority)
  }
  return {
    version: entry.file,
    createCsp: (frameAncestors) =>
      [
        has_captcha ? CSP.replace(IMG_SRC, `${IMG_SRC} ${CAPTCHA_ORIGINS}`) : CSP,
        `frame-ancestors ${frameAncestors}`,
        ...(has_captcha
          ? [`script-src 'self' ${CAPTCHA_ORIGINS}`, `frame-src 'self' ${CAPTCHA_ORIGINS}`]
          : []),
        ...(store_origin || has_captcha
          ? [["connect-src 'self'", store_origin, has_captcha && CAPTCHA_ORIGINS].filter(Boolean).join(' ')]
          : []),
      ].join('; '),
    render: (page, meta, picture) => {
      const priority = picture ? ' fetchpriority="low"' : ''
      const head =
        (picture ? EXPECT_PICTURE : '') + renderHead(priority) + renderPageTags(page.component, priority)
      return renderPage(page, app_url, meta, head, picture)
    },
  }
}

type Files = { scripts: Set<string>; styles: Set<string> }

/** Lists every file that chunks need before they can run: their own and those of their static imports. */
function collectFiles(manifest: Manifest, ...keys: string[]): Files {
  const files: Files = { scripts: new Set(), styles: new Set() }
  const pending = [...keys]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const chunk = manifest[next]
    if (!chunk || files.scripts.has(chunk.file)) continue
    files.scripts.add(chunk.file)
    for (const style of chunk.css ?? []) files.styles.add(style)
    pending.push(...(chunk.imports ?? []))
  }
  return files
}

const renderTags = ({ scripts, styles }: Files, priority: string): string =>
  [
    ...[...styles].map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...[...scripts].map((file) => `<link rel="modulepreload" href="/${file}"${priority}>`),
  ].join('')

function createDevelopmentDocument(url: string, appUrl: string): HtmlDocument {
  const head = `${BOOT_SCRIPT}<script type="module">import R from '${url}/@react-refresh';R.injectIntoGlobalHook(window);window.$RefreshReg$=()=>{};window.$RefreshSig$=()=>(t)=>t;window.__vite_plugin_react_preamble_installed__=true</script>
<script type="module" src="${url}/@vite/client"></script><script type="module" src="${url}/${ENTRY}"></script>`
  const socket = url.replace(/^http/, 'ws')
  // A worker of this origin imports workers of another one; it has the page's policy.
  const csp = `default-src 'self' ${url} ${socket} 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'self' blob:; img-src 'self' ${url} data: blob:; media-src 'self' blob:; font-src 'self' data: ${url}`
  return {
    version: 'dev',
    createCsp: (frameAncestors) => `${csp}; frame-ancestors ${frameAncestors}`,
    render: (page, meta) => renderPage(page, appUrl, meta, head),
  }
}

function renderPage(
  page: PageObject,
  appUrl: string,
  { noindex, preview }: PageMeta,
  head: string,
  picture?: string | null,
): string {
  const json = JSON.stringify(page).replace(/[<>&]/g, (character) => ESCAPES[character]!)
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
${renderLinkPreview(preview, page.url, appUrl)}
${noindex ? '<meta name="robots" content="noindex">\n' : ''}<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/manifest.webmanifest">
<meta name="theme-color" content="#f5f3ed" media="(prefers-color-scheme: light)"><meta name="theme-color" content="#0c1114" media="(prefers-color-scheme: dark)">
<link rel="stylesheet" href="/boot.css">
${head}</head><body>
<script data-page="app" type="application/json">${json}</script>
${picture ? `<div id="app" data-server-rendered="true">${picture}</div>${PICTURE_END}` : BOOT}
</body></html>`
}
