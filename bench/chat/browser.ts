import { chromium, type Page } from '@playwright/test'
import { rm } from 'node:fs/promises'
import { provideChromium } from '../../scripts/chromium.ts'
import { requireProvided } from '../../scripts/debian-packages.ts'
import { buildPrototype, buildWeb } from './build.ts'
import { type Double, startDouble } from './double.ts'

/** `open` shows the product; `openPrototype` shows the peer with a growing answer, and asks at once. */
type Bench = {
  double: Double
  open: (path: string) => Promise<Page>
  openPrototype: () => Promise<Page>
}

/** Runs a benchmark against the real web in a real browser, and leaves nothing behind. */
export async function runInBrowser(
  options: Parameters<typeof startDouble>[1],
  bench: (world: Bench) => Promise<void>,
): Promise<void> {
  const build = await buildWeb()
  const double = await startDouble(build, options)
  const browser = await chromium.launch({
    executablePath: requireProvided(await provideChromium()),
    args: ['--no-sandbox'],
  })
  const load = async (path: string, shown: string) => {
    const page = await browser.newPage({ viewport: { width: 1360, height: 860 } })
    await page.goto(double.url + path)
    await page.waitForSelector(shown)
    return page
  }
  const open = (path: string) => load(path, 'textarea')
  let building: Promise<void> | undefined
  const openPrototype = async () => {
    await (building ??= buildPrototype(build))
    return load('/prototype', 'article .md')
  }
  try {
    await bench({ double, open, openPrototype })
  } finally {
    await browser.close()
    await double.close()
    await rm(build.dir, { recursive: true })
  }
}

/** Measures the CPU time of the page's main thread so far, milliseconds: in all, and in scripts alone. */
export async function startCpuMeasurement(
  page: Page,
): Promise<() => Promise<{ all: number; script: number }>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
    // The cost of measuring is no cost of the page.
    const all = seconds('TaskDuration') - seconds('DevToolsCommandDuration')
    return { all: all * 1000, script: seconds('ScriptDuration') * 1000 }
  }
}

export const quantile = (values: number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0
