import { describe, test } from 'vitest'
import type { Page } from '@playwright/test'
import { pasteText } from '#web/text/attachments.ts'
import { markdownText } from '#web/text/markdown.ts'
import { chatText } from '#web/text/chat.ts'
import { uiText } from '#web/text/ui.ts'
import type { VisitOptions } from '../../world/browser.ts'
import type { Script } from '../../world/upstream/upstream.ts'
import {
  answers,
  ask,
  button,
  composer,
  expect,
  expectNotice,
  questions,
  waitForIdle,
} from '../screen/chat-screen.ts'
import { getQuestion } from '../../world/upstream/script.ts'
import { saveFile } from '../screen/downloads.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

/** The page with an answer of these words that streamed in; notes every request that leaves the app. */
async function showAnswer(text: string, visit: VisitOptions = {}, pace: Script = { chars: 60 }) {
  const page = await world.visit('/chat', { client: await world.user(), ...visit })
  const foreign: string[] = []
  const asked: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (url.startsWith(world.url)) asked.push(new URL(url).pathname)
    else if (!/^(?:data|blob):/.test(url)) foreign.push(url)
  })
  world.upstream.script('scripted', { text, ...pace })
  await ask(page, '请写')
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
  return { page, foreign, asked }
}

const readClipboard = (page: Page, type: string) =>
  page.evaluate(async (wanted) => {
    const [item] = await navigator.clipboard.read()
    const blob = await item?.getType(wanted)
    return blob?.text()
  }, type)

test('a table is copied for spreadsheets and saved as CSV', async () => {
  const { page } = await showAnswer('| 名 | 式 |\n|---|---|\n| 甲, "乙" | $x^2$ |\n| =1+1 | -5 |\n')
  await answers(page).locator('table').hover()
  await expectNotice(page, markdownText.copied, () => button(page, markdownText.copyTable).click())
  expect(await readClipboard(page, 'text/plain')).toBe('名\t式\n甲, "乙"\t$x^2$\n\'=1+1\t-5')
  expect(await readClipboard(page, 'text/html')).toContain('<td>甲, "乙"</td>')
  await expect(button(page, markdownText.copyTable)).toBeVisible()
  const { name, bytes } = await saveFile(page, () => button(page, markdownText.csv).click())
  expect(name).toBe(markdownText.csvName)
  expect(bytes.toString('utf8')).toBe('\uFEFF名,式\r\n"甲, ""乙""",$x^2$\r\n\'=1+1,-5\r\n')
})

test('code wraps when asked, and long code is folded where it is not read while it grows', async () => {
  const lines = Array.from({ length: 90 }, (_, n) => `value_${n} = '${'渠'.repeat(n === 0 ? 120 : 2)}'`)
  const page = await world.visit('/chat', { client: await world.user() })
  // Held back in the middle, so that it is seen to grow however busy the machine is.
  const text = `\`\`\`python\n${lines.join('\n')}\n\`\`\`\n`
  world.upstream.script('scripted', { text, chars: 20, stall: 40 })
  await ask(page, '请写')
  const pre = answers(page).locator('pre')
  await expect(pre).toContainText('value_20')
  world.upstream.release()
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
  const sideways = () => pre.evaluate((node) => node.scrollWidth > node.clientWidth)
  await expect.poll(sideways).toBe(true)
  await waitForIdle(page)
  // The page may still follow the end of the answer: a click could land beside the button.
  await button(page, markdownText.wrap).press('Enter')
  await expect.poll(sideways).toBe(false)
  await expect(button(page, markdownText.wrap)).toHaveAttribute('aria-pressed', 'true')
  await expect(button(page, markdownText.unfold(90))).toHaveCount(0)
  await page.reload()
  const height = async () => (await pre.boundingBox())?.height ?? 0
  await expect(button(page, markdownText.unfold(90))).toBeVisible()
  const folded = await height()
  await button(page, markdownText.unfold(90)).click()
  await expect(button(page, markdownText.fold)).toHaveAttribute('aria-expanded', 'true')
  await expect.poll(height).toBeGreaterThan(folded * 2)
})

describe('diagrams', () => {
  const DIAGRAM = '```mermaid\nflowchart LR\n  A[源头] --> B[渠]\n```'
  const picture = (page: Page) => answers(page).locator('.md-diagram img')

  test('are drawn, follow the theme, and show their source on a click', async () => {
    const { page } = await showAnswer(`请看：\n\n${DIAGRAM}\n\n完。`)
    await expect(picture(page)).toBeVisible()
    await expect
      .poll(() => picture(page).evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(100)
    const light = await picture(page).getAttribute('src')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(picture(page)).not.toHaveAttribute('src', light ?? '')
    await expect(answers(page).locator('pre')).toBeHidden()
    await button(page, markdownText.source).click()
    await expect(answers(page).locator('pre')).toContainText('A[源头] --> B[渠]')
    await button(page, markdownText.picture).click()
    await expect(picture(page)).toBeVisible()
  })

  test('cost nothing where there are none, nor before their end has come', async () => {
    const { asked } = await showAnswer(`普通的回答，\`\`\`mermaid\n没有图。`)
    expect(asked.filter((path) => path.includes('/diagram'))).toEqual([])
  })

  test('that cannot be drawn show their source and say why', async () => {
    const { page } = await showAnswer('```mermaid\nflowchart LR\n  A[源头 --> {\n```')
    await expect(page.getByText(markdownText.diagramBroken)).toBeVisible()
    await expect(answers(page).locator('pre')).toContainText('A[源头 --> {')
  })

  test('that would take long to draw show their source, however they are written', async () => {
    const nodes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`)
    const large = [
      `flowchart TD\n${nodes(121).join('\n')}`,
      `flowchart TD; ${nodes(121).join(';')}`,
      `flowchart TD\n${nodes(121).join(' & ')}`,
      `classDiagram\n${nodes(61).join('\nclass ')}`,
      `%%{init: {}}%% mindmap\n  root\n${nodes(40).join('\n    ')}`,
    ]
    const { page } = await showAnswer(large.map((code) => `\`\`\`mermaid\n${code}\n\`\`\``).join('\n\n'))
    await expect(page.getByText(markdownText.diagramTooLarge)).toHaveCount(large.length)
  })

  test('are drawn one after the other, and the page has its turn between two', async () => {
    const mindmaps = ['渠', '水'].map((root) => `\`\`\`mermaid\nmindmap\n  ${root}\n    甲\n    乙\n\`\`\``)
    const { page } = await showAnswer(mindmaps.join('\n\n'))
    await expect(picture(page)).toHaveCount(2)
    await page.evaluate(() => {
      let turn = 0
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => {
        turn += 1
        port2.postMessage(null)
      })
      port1.start()
      port2.postMessage(null)
      const observer = new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes)
          for (const node of addedNodes)
            if (node instanceof Element && node.matches('.md-diagram') && target instanceof HTMLElement)
              target.dataset.turn = String(turn)
      })
      observer.observe(document.body, { childList: true, subtree: true })
    })
    await page.emulateMedia({ colorScheme: 'dark' })
    const drawn = answers(page).locator('[data-turn]')
    await expect(drawn).toHaveCount(2)
    const turns = await drawn.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-turn')))
    expect(new Set(turns).size).toBe(2)
  })

  const hostile = [
    'flowchart LR\n  A["<img src=https://evil.example/a onerror=alert(1)>"] --> B',
    'flowchart LR\n  A --> B\n  click A "javascript:alert(2)"\n  click B href "https://evil.example/b"',
    'flowchart LR\n  A --> B\n  style A fill:url(https://evil.example/c)',
    'flowchart LR\n  A --> B\n  classDef x background:u\\72l(https://evil.example/d)\n  class A x',
    '%%{init: {"themeCSS": "* { background: image-set(\'https://evil.example/e\' 1x) }"}}%%\nflowchart LR\n  A --> B',
    '%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\nflowchart LR\n  A["<script>alert(3)</script>"] --> B',
    '---\nconfig:\n  themeCSS: "@import \'https://evil.example/f\';"\n  fontFamily: "x; } * { background: url(https://evil.example/g) }"\n---\nflowchart LR\n  A --> B',
    'flowchart LR\n  A@{ img: "https://evil.example/h.png", label: "x" }',
    'sequenceDiagram\n  A->>B: <iframe src="https://evil.example/i"></iframe>\n  link A: x @ javascript:alert(4)',
    'classDiagram\n  class A\n  link A "javascript:alert(5)"\n  click A href "javascript:alert(6)"',
  ]

  test('that attack do nothing, though no policy of the page hinders them', async () => {
    const text = hostile.map((code) => `\`\`\`mermaid\n${code}\n\`\`\``).join('\n\n')
    const dialogs: string[] = []
    const { page, foreign } = await showAnswer(`${text}\n\n${DIAGRAM}\n\n到此为止。`, { bypassCsp: true })
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    // They are drawn one after the other: when the last one is there, all had their chance.
    await expect(answers(page).locator('.md-code').last().locator('img')).toBeVisible()
    await expect(answers(page).locator('.md-diagram')).toHaveCount(hostile.length + 1)
    for (const shown of await answers(page).locator('.md-diagram').all()) await shown.click()
    expect(dialogs).toEqual([])
    expect(foreign).toEqual([])
    await expect(page.locator('.md-diagram-stage, iframe, .md svg')).toHaveCount(0)
  })
})

test('a footnote is reached from its number, and back', async () => {
  const { page } = await showAnswer('水到渠成[^a]。\n\n[^a]: 见朱熹。')
  await button(page, markdownText.note(1)).click()
  await expect(answers(page).locator('.md-note')).toBeFocused()
  await button(page, markdownText.noteBack(1)).click()
  await expect(button(page, markdownText.note(1))).toBeFocused()
})

describe('copying', () => {
  test('is confirmed for a second, on the button and by a notice', async () => {
    const { page } = await showAnswer('```\ncode\n```')
    const copy = answers(page).locator('.md-copy')
    const notice = page.getByRole('listitem').filter({ hasText: uiText.copied })
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await copy.click()
    await expect(copy).toHaveText(markdownText.copied)
    await page.clock.runFor(999)
    await expect(copy).toHaveText(markdownText.copied)
    await page.clock.runFor(1)
    await expect(copy).toHaveText(chatText.copy)
    await button(page, chatText.copyAnswer).click()
    await expect(notice).toBeVisible()
    await page.clock.runFor(999)
    await expect(notice).toBeVisible()
    await page.clock.runFor(1)
    await expect(notice).toHaveCount(0)
  })

  test('says when the browser refuses, and when it cannot', async () => {
    const { page } = await showAnswer('好。')
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    })
    await button(page, chatText.copyAnswer).click()
    await expect(page.getByText('复制失败，请手动复制')).toBeVisible()
    // As on a page over plain HTTP.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await button(page, chatText.copyAnswer).click()
    await expect(page.getByText('你的浏览器不支持此复制功能请手动复制!')).toBeVisible()
    await expect(page.getByText(uiText.copied)).toHaveCount(0)
  })
})

describe('a long paste', () => {
  const LINES = 4_000
  const text = Array.from({ length: LINES }, (_, n) => `行 ${n}`).join('\n')

  test('is held beside the field, can be looked at and removed, and is sent whole', async () => {
    const page = await world.visit('/chat', { client: await world.user() })
    world.upstream.script('scripted', { text: '好。' })
    await page.evaluate((words) => navigator.clipboard.writeText(words), text)
    const chip = page.getByRole('button', { name: pasteText.chip(LINES) })
    await composer(page).focus()
    await page.keyboard.press('Control+V')
    await expect(chip).toBeVisible()
    await expect(composer(page)).toHaveValue('')
    await chip.click()
    const dialog = page.getByRole('dialog', { name: pasteText.chip(LINES) })
    await expect(dialog).toContainText('行 3')
    await page.keyboard.press('Escape')
    await button(page, pasteText.remove).click()
    await expect(chip).toHaveCount(0)
    await expect(composer(page)).toBeFocused()

    await composer(page).fill('总结：')
    await page.keyboard.press('Control+V')
    await button(page, chatText.send).click()
    await expect(answers(page)).toHaveText('好。')
    await expect(chip).toHaveCount(0)
    const body = world.upstream.requests.at(-1)?.body as { messages?: unknown } | undefined
    expect(getQuestion(body?.messages)).toBe(`总结：\n\n${text}`)
    await expect(questions(page)).toContainText('总结：')
    await expect(questions(page)).not.toContainText(`行 ${LINES - 1}`)
    await button(page, pasteText.more(LINES + 2)).click()
    await expect(questions(page)).toContainText(`行 ${LINES - 1}`)
  })
})

test('an answer is announced by paragraphs, each once', async () => {
  const page = await world.visit('/chat', { client: await world.user() })
  await page.evaluate(() => {
    const received: string[] = []
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node.parentElement?.role === 'log') received.push(node.textContent ?? '')
      }
    }).observe(document.body, { subtree: true, childList: true })
    Object.assign(window, { received })
  })
  const paragraphs = Array.from({ length: 6 }, (_, n) => `第 ${n} 段，**渠**水清如许。`)
  world.upstream.script('scripted', { text: paragraphs.join('\n\n'), chars: 3, every_ms: 20 })
  await ask(page, '请写')
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
  const received = () => page.evaluate(() => (window as Window & { received?: string[] }).received ?? [])
  await expect.poll(async () => (await received()).join(' ')).toContain('第 5 段')
  const all = await received()
  // One a paragraph at most; the last one may come in two, with the last text and with the end, cut at any space.
  expect(all.length).toBeLessThanOrEqual(paragraphs.length + 1)
  const numbers = [...all.join(' ').matchAll(/第\s+(\d)\s+段/g)].map(([, number]) => Number(number))
  expect(numbers).toEqual(paragraphs.map((_, number) => number))
})
