import { readDocument } from '#server/formats/formats.ts'
import { chinese, makePdf } from '#test/formats/make-pdf.ts'
import { formatDelay, watchLoop } from './loop.ts'

const CHARACTERS = '的一是了不在有人大上个中这我以到他时来用们生地出就为会可也你对要能说子那得着下过自之年'
const LINES = 40

/** Bar S7: a worker reads a PDF of Chinese text, 1,520 characters a page, while the main loop is watched. */
export async function runSpeed(pages: number): Promise<void> {
  const line = (page: number, number: number): string =>
    Array.from({ length: 38 }, (_, at) => CHARACTERS[(number * 7 + at * 3 + page) % CHARACTERS.length]).join(
      '',
    )
  const content = (page: number): string =>
    Array.from({ length: LINES }, (_, number) => chinese(60, 790 - number * 18, line(page, number))).join(
      '\n',
    )
  const bytes = makePdf(Array.from({ length: pages }, (_, page) => ({ content: content(page) })))
  const before = process.memoryUsage().rss
  const endWatch = watchLoop()
  const started = performance.now()
  const { report } = await readDocument({ source: { bytes }, name: 'a.pdf' })
  const seconds = (performance.now() - started) / 1000
  const delay = endWatch()
  const memory = process.resourceUsage().maxRSS / 1024 - before / 2 ** 20
  console.log(
    `${report.read} pages in ${seconds.toFixed(2)} s: ${(pages / seconds).toFixed(0)} pages/s; ` +
      `${formatDelay(delay)}; ` +
      `${memory.toFixed(0)} MB more`,
  )
}
