import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { TranslationResult } from '#contract/translate/translation.ts'
import '#web/styles/app.css'
import { documentsText } from '#web/text/translate/documents.ts'
import { uiText } from '#web/text/ui.ts'
import { TextList } from './TextList.tsx'

afterEach(() => void vi.unstubAllGlobals())

const PAGE = 40
const translation = {
  target_lang: 'zh-CN',
  segments: 2 * PAGE,
  translated: 2 * PAGE,
  from_memory: 0,
  failed: 0,
  problems: [],
  kept: [],
  file_problems: [],
} as Partial<TranslationResult> as TranslationResult
const toItem = (n: number) => ({
  n,
  text: `Verse ${n}.`,
  translation: `第 ${n} 句。`,
  problem: null,
  message: null,
  place: {},
})

test('more of a translation that does not come is told and asked for again, and what is there stays', async () => {
  const more: number[] = []
  let isFailing = true
  vi.stubGlobal('fetch', (url: string) => {
    const after = Number(new URL(url, location.origin).searchParams.get('after'))
    if (after > 0) more.push(after)
    if (after > 0 && isFailing) return Promise.resolve(Response.json({}, { status: 500 }))
    const items = Array.from({ length: PAGE }, (_, n) => toItem(after + n + 1))
    return Promise.resolve(Response.json({ data: { kind: 'translation', items, has_more: after === 0 } }))
  })
  await render(
    <div style={{ display: 'flex', flexDirection: 'column', height: 400 }}>
      <TextList
        id="verses"
        translation={translation}
        isRunning={false}
        view="side"
        isLink={false}
        isPdf={false}
        chooser={null}
      />
    </div>,
  )
  const preview = page.getByRole('region', { name: documentsText.preview })
  const scrollTo = (top: number) => {
    preview.element().scrollTop = top
    return preview.element().textContent
  }
  await expect.element(preview).toMatchTextContent('Verse 1.')
  scrollTo(100_000)
  await expect.element(page.getByRole('alert')).toMatchTextContent(documentsText.textsFailed)
  await expect.poll(() => scrollTo(0)).toContain('Verse 1.')
  await expect.poll(() => scrollTo(100_000)).not.toContain('Verse 1.')
  // Scrolling does not repeat a failed request.
  expect(more).toEqual([PAGE])
  isFailing = false
  await page.getByRole('button', { name: uiText.retry }).click()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await expect.poll(() => scrollTo(100_000)).toContain(`Verse ${2 * PAGE}.`)
})
