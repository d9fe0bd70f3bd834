import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig } from 'vite'
import type { Plugin } from 'vite'

const PRECOGNITION = 'laravel-precognition'
const SLIM_HINT = 'look whether slimInertia in vite.config.ts is still needed, and what it should do now.'

/** Parts of Inertia's core that its router holds on to and no page here uses, and what stands in their place. */
const UNUSED_OF_INERTIA: Record<string, string> = {
  PrefetchedRequests: `class {
    get() {} findCached() { return null } findInFlight() { return null }
    remove() {} removeAll() {} removeByTags() {} updateCachedOncePropsFromCurrentPage() {}
  }`,
  Polls: 'class { clear() {} }',
  encryptHistory: '() => {}',
  decryptHistory: '() => {}',
  // For `includeCSS`, which src/web/main.tsx turns off.
  injectCSS: '() => {}',
}
const USE_OF_UNUSED = /\bprefetch\b|\busePoll\b|\.poll\(|encryptHistory|includeCSS: true/

/**
 * Takes 15 kB gzip out of every first load. Inertia's React adapter is one file whose `X.displayName = …` lines and
 * unmarked `forwardRef` calls keep its whole form kit alive, and with it Laravel's live validation, which this product
 * does not speak: Inertia's core calls only two setters of it.
 */
function slimInertia(): Plugin {
  const found = { adapter: false, core: false, precognition: false }
  const replace = (code: string, pattern: RegExp, replacement: string): string => {
    if (code.search(pattern) < 0) throw new Error(`${pattern} is no longer found in Inertia: ${SLIM_HINT}`)
    return code.replace(pattern, replacement)
  }
  return {
    name: 'slim-inertia',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => {
      if (id !== PRECOGNITION) return null
      found.precognition = true
      return `\0${PRECOGNITION}`
    },
    load: (id) =>
      id === `\0${PRECOGNITION}`
        ? `export const client = { withXsrfCookieName() {}, withXsrfHeaderName() {} }
           export const createValidator = 0, resolveMethod = 0, resolveName = 0, resolveUrl = 0, toSimpleValidationErrors = 0`
        : null,
    transform: {
      filter: { id: /@inertiajs\/(react|core)\/dist\/index\.js$|\/src\/web\// },
      handler: (code, id) => {
        if (id.includes('/src/web/')) {
          if (USE_OF_UNUSED.test(code) && /@inertiajs/.test(code))
            throw new Error(`${id} uses a part of Inertia that slimInertia in vite.config.ts takes out.`)
          return null
        }
        if (id.includes('/core/')) {
          found.core = true
          const slim = Object.entries(UNUSED_OF_INERTIA).reduce(
            (rest, [name, replacement]) =>
              replace(rest, new RegExp(`^var ${name} = [^]*?^};$`, 'm'), `var ${name} = ${replacement};`),
            code,
          )
          return { code: slim, map: null }
        }
        found.adapter = true
        const withoutNames = replace(code, /^\w+\.displayName = .*$/gm, '')
        return {
          code: replace(withoutNames, /^(var \w+ = )(forwardRef\d*\()/gm, '$1/* @__PURE__ */ $2'),
          map: null,
        }
      },
    },
    buildEnd(error) {
      const parts = Object.values(found)
      if (!error && parts.includes(true) && parts.includes(false))
        throw new Error(`Inertia no longer imports ${PRECOGNITION}, or its files are others: ${SLIM_HINT}`)
    },
  }
}

/** The worker of pdfjs, and what PDFs refer to without bringing it along: CJK character maps, fonts, decoders. */
const PDF_PARTS = ['legacy/build/pdf.worker.min.mjs', 'cmaps', 'standard_fonts', 'wasm', 'iccs']

/** Puts what pdfjs loads by itself where src/web/documents/blocks/pdf/pdfDocument.ts says. */
async function copyPdfParts(folder: string): Promise<void> {
  const source = 'node_modules/pdfjs-dist'
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string }
  const target = join(folder, 'assets', `pdfjs-${version}`)
  await Promise.all(PDF_PARTS.map((name) => cp(join(source, name), join(target, name), { recursive: true })))
}

/** The script for other sites by itself: one file under one name, which runs wherever it is put and leaves no name behind. */
const buildWidgetScript = (outDir: string) =>
  build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: false,
      rollupOptions: {
        input: 'src/web/assistants/agents/widget/launcher.ts',
        output: { format: 'iife', entryFileNames: 'widget.js' },
      },
      modulePreload: { polyfill: false },
    },
  })

/** What the web's modules name of a browser when they are loaded, for a process that has none. */
const WITHOUT_BROWSER = `
  const location = { origin: 'http://localhost', href: 'http://localhost/', pathname: '/', search: '' }
  const matchMedia = () => ({ matches: false, addEventListener() {} })
  const CSS = { supports: () => false }
  const BroadcastChannel = class { addEventListener() {} postMessage() {} }
  const addEventListener = () => {}
`

/** What draws the first picture of a page in its HTML: one file for the server, without the parts that come later. */
const buildPrerender = (outDir: string) =>
  build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [
      react(),
      {
        name: 'without-lazy-parts',
        resolveDynamicImport: (id) => (typeof id === 'string' ? { id, external: true } : null),
      },
    ],
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: join(outDir, '.vite'),
      emptyOutDir: false,
      ssr: 'src/web/prerender.tsx',
      minify: true,
      rollupOptions: { output: { entryFileNames: 'prerender.js', intro: WITHOUT_BROWSER } },
    },
  })

/** Compresses the build's files once, so that the server never has to. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      const folder = dir ?? 'dist/web'
      await copyPdfParts(folder)
      await buildWidgetScript(folder)
      const names = await readdir(folder, { recursive: true })
      await Promise.all(
        names.filter((name) => /\.(m?js|css|svg)$/.test(name)).map((name) => compress(join(folder, name))),
      )
      await buildPrerender(folder)
    },
  }
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < 1024) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}

export default defineConfig({
  plugins: [slimInertia(), react(), tailwindcss(), precompress()],
  publicDir: 'src/web/public',
  build: {
    outDir: 'dist/web',
    manifest: true,
    // The server writes the page's HTML itself (src/server/core/pages/html-document.ts) and finds the assets in the manifest.
    rollupOptions: {
      input: 'src/web/main.tsx',
      output: {
        // Whatever loads another part lists the files of all parts: names of those that are shared cost the first load half
        // a kilobyte. What is in each says dist/web/.vite/manifest.json.
        chunkFileNames: ({ isDynamicEntry }) =>
          isDynamicEntry ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // What every page needs, in one file that stays in the browser's cache when only the product changes. What
        // Inertia takes of es-toolkit follows it there; the group must not name it, or all that diagrams take follows too.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/((react|react-dom|scheduler|@inertiajs|clsx|zustand)\/|lucide-react\/dist\/esm\/(?!icons))/,
            },
            // Small parts of every first load, in one file: by themselves each costs more than what is in it.
            {
              name: 'kit',
              test: /src\/web\/(ui\/(toast|Skeleton|popover\/useOpening|lazy\/withModule|form\/(enterKey|FileInput)|layout\/ActionButton|water\/(Water|waterLines))|core\/(lazyModule|useIsHydrated|draftStorage|shownUser)|text\/(ui|chat)|conversations\/(messages|conversationStore|limits|tabSync|questionText|questionBlocks|useConversation|model-picker\/(modelChoice|usableModels)|prompts\/prompts|composer\/(drafts|browserDrafts|attachmentStore)|web-search\/useWebSearch))\.tsx?$|lucide-react\/dist\/esm\/icons\/(arrow-up|book-text|chevron-down|pen-line|sliders-horizontal|square)\./,
            },
          ],
        },
      },
    },
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  // `null` is the origin of the frame that draws diagrams (src/web/markdown/diagrams/drawDiagram.ts).
  server: { cors: { origin: /^(?:null|http:\/\/(localhost|127\.0\.0\.1):\d+)$/ } },
})
