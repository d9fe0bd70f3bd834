import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import { createAppProcess } from '#test/world/app-process.ts'
import { provideChromium } from '../scripts/chromium.ts'
import { requireProvided } from '../scripts/debian-packages.ts'

// Prints Lighthouse's measures of Home and Chat of the built app, for a desktop and for its slowed-down phone: the median of
// three visits. `npx vite build`, then `node bench/lighthouse.ts`.

const FOLDER = fileURLToPath(new URL('peers/lighthouse/', import.meta.url))
const PAGES = { Home: '/', Chat: '/chat' }
const PRESETS = { desktop: ['--preset=desktop'], phone: [] }
const VISITS = 3
// Shares and answers are closed to search engines, but these two pages are not.
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']

type Report = {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { score: number | null; numericValue?: number; scoreDisplayMode: string }>
}

if (!existsSync(`${FOLDER}node_modules`)) {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: FOLDER })
}

async function visit(url: string, preset: string[], chromium: string | undefined): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      `${FOLDER}node_modules/lighthouse/cli/index.js`,
      url,
      ...preset,
      '--output=json',
      '--quiet',
      '--chrome-flags=--headless --no-sandbox --disable-gpu',
      `--only-categories=${CATEGORIES.join(',')}`,
    ],
    { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...(chromium ? { CHROME_PATH: chromium } : {}) } },
  )
  return JSON.parse(stdout) as Report
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const toScore = (report: Report, category: string) =>
  Math.round((report.categories[category]?.score ?? 0) * 100)

const chromium = requireProvided(await provideChromium())
const upstream = await startUpstream()
const app = await createAppProcess(upstream.url)
await app.start()
try {
  const rows: Record<string, string | number>[] = []
  const failed = new Set<string>()
  for (const [page, path] of Object.entries(PAGES)) {
    for (const [device, preset] of Object.entries(PRESETS)) {
      const reports: Report[] = []
      for (let n = 0; n < VISITS; n++) reports.push(await visit(app.url + path, preset, chromium))
      const measure = (audit: string) => median(reports.map(({ audits }) => audits[audit]?.numericValue ?? 0))
      rows.push({
        page,
        device,
        ...Object.fromEntries(
          CATEGORIES.map((category) => [
            category,
            median(reports.map((report) => toScore(report, category))),
          ]),
        ),
        'LCP ms': Math.round(measure('largest-contentful-paint')),
        'TBT ms': Math.round(measure('total-blocking-time')),
        CLS: Number(measure('cumulative-layout-shift').toFixed(4)),
      })
      for (const [id, { score, scoreDisplayMode }] of Object.entries(reports[0]?.audits ?? {}))
        if (scoreDisplayMode === 'binary' && score === 0) failed.add(`${page}: ${id}`)
    }
  }
  console.table(rows)
  if (failed.size) console.log(`failed: ${[...failed].join(', ')}`)
} finally {
  await app.close()
  await upstream.close()
}
