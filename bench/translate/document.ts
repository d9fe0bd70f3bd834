import { getTask, makeDocx, replyWith, startTranslation } from '#test/translate/document.ts'
import { startWorld } from '#test/world/world.ts'

const PAGES = 300
/** Paragraphs of a page of about 450 words. */
const PARAGRAPHS_PER_PAGE = 9
const WORDS_PER_PARAGRAPH = 50
const LATENCY_MS = 50

const WORDS =
  'river lake hill town gate bridge winter letter garden silver quiet morning walks sleeps stands'.split(' ')
/** Paragraphs that all differ, so that the translation memory has none of them. */
const paragraphs = Array.from(
  { length: PAGES * PARAGRAPHS_PER_PAGE },
  (_, n) =>
    `Paragraph ${n + 1}: ${Array.from({ length: WORDS_PER_PARAGRAPH }, (_word, at) => WORDS[(n * 7 + at * at) % WORDS.length]).join(' ')}.`,
)

/** Measures a Word document of 300 pages: time to its first translated text, time to its end, calls under way, memory. */
export async function measureDocument(): Promise<void> {
  const world = await startWorld({ env: { SIGNUP_COINS: '10000' } })
  try {
    const client = await world.user()
    world.upstream.script('flat', { reply: replyWith(), delay_ms: LATENCY_MS, chars: 400 })
    const content = makeDocx(paragraphs)
    const memory = process.memoryUsage.rss()
    const [started, cpu] = [performance.now(), process.cpuUsage()]
    const { task } = await startTranslation(world, client, { name: 'book.docx', content })
    let [firstMs, peak, most] = [0, 0, 0]
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
      most = Math.max(most, world.upstream.requests.filter(({ answered }) => !answered).length)
    }, 5)
    for (let status = 0; status < 2;) {
      const { status: current, data } = await getTask(client, task, paragraphs.length - 1)
      const translated = data?.kind === 'translation' ? data.translated : 0
      if (translated && !firstMs) firstMs = performance.now() - started
      status = current
      if (status < 2) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    clearInterval(watch)
    const totalMs = performance.now() - started
    const { user, system } = process.cpuUsage(cpu)
    const { task: ended, data } = await getTask(client, task)
    console.table({
      'pages, texts': `${PAGES}, ${paragraphs.length}`,
      'translated, with a problem': data?.kind === 'translation' ? `${data.translated}, ${data.failed}` : '',
      'calls, under way at most': `${ended.cost}, ${most}`,
      'from upload to the first translated text, s': (firstMs / 1000).toFixed(1),
      'to the end, s': (totalMs / 1000).toFixed(1),
      'CPU of the server, its database and the scripted model, s': ((user + system) / 1e6).toFixed(1),
      'their memory before, at most, MB': `${toMegabytes(memory)}, ${toMegabytes(peak)}`,
    })
  } finally {
    await world.close()
  }
}

const toMegabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
