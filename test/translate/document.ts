import { expect, vi } from 'vitest'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import type { TaskResult } from '#contract/tasks/tasks.ts'
import type { TranslationResult } from '#contract/translate/translation.ts'
import type { Db } from '#server/core/database/database.ts'
import { upload } from '../files/upload.ts'
import { makeZip } from '../formats/make-container.ts'
import { unzip } from '../formats/rewriting/take.ts'
import { exhaustDelays } from '../tasks/delays.ts'
import type { Client } from '../world/client.ts'
import { scriptedModels } from '../world/world.ts'
import { formatTexts, parseResponse } from '#server/assistants/translate/engine/request.ts'

/** Returns the scripted models and more of the same kind. */
export const withModels =
  (...more: { id: string; context_window?: number; max_tokens?: number }[]) =>
  ({ url }: { url: string }): string => {
    const { platforms, models } = scriptedModels(url)
    const added = more.map((one) => ({
      ...models[0],
      name: one.id,
      offers: [{ platform: 'scripted', model: one.id, input: 0, output: 1 }],
      ...one,
    }))
    return JSON.stringify({ platforms, models: [...models, ...added] })
  }

/** Makes a Word document of these paragraphs, whose text is XML. */
export const makeDocx = (paragraphs: string[]): Buffer =>
  makeZip({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraphs
      .map((text) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`)
      .join('')}</w:body></w:document>`,
  })

/** Lists the texts of such a document. */
export const listDocxTexts = (bytes: Uint8Array): string[] =>
  [...unzip(bytes, 'word/document.xml').matchAll(/<w:t[^>]*>([^<]*)<\/w:t>/g)].map(([, text]) => text!)

/** Translates like the scripted model: English words become Chinese ones, the rest stays. */
export const toChinese = (text: string): string => text.replace(/(?<!&)[A-Za-z]+/g, '译')

/** Returns a script's reply with each text changed, in the form of a model's answer. */
export const replyWith =
  (translate: (text: string) => string = toChinese) =>
  (question: string): string =>
    formatTexts([...parseResponse(question)].map(([n, text]) => ({ n, text: translate(text) })))

/** Uploads a document and starts its translation. */
export async function startTranslation(
  world: { url: string },
  client: Client,
  file: { name: string; content: string | Uint8Array },
  more: { model?: string; tone?: string; target_lang?: TargetLanguage } = {},
): Promise<{ task: string; block: string }> {
  const { id: block } = await upload(world, client, { ...file, channel: 'fanyi' })
  const body = { biz_type: 'file' as const, block, target_lang: 'zh-CN' as const, model: 'flat', ...more }
  const { chat_id: task } = await client.call('POST /api/translate', { body })
  return { task, block }
}

export const getTask = (client: Client, id: string, after = 0) =>
  client.call('GET /api/task/{id}/result', { params: { id }, query: { after } })

/** Returns a translation's task and result, once it has ended. */
export async function waitForTranslation(client: Client, id: string) {
  return vi.waitFor(
    async () => {
      const { status, task, data } = await getTask(client, id)
      expect(status).toBeGreaterThan(1)
      return { status, task, data: toTranslation(data) }
    },
    { timeout: 45_000 },
  )
}

/** Waits until a translation has failed for good, without the time between its tries. */
export async function waitForFailure(client: Client, db: Db, id: string) {
  const isDelayed = async (): Promise<void> => expect(await exhaustDelays(db)).toBe(1)
  await vi.waitFor(isDelayed, { timeout: 20_000 })
  return waitForTranslation(client, id)
}

export function toTranslation(data: TaskResult | null): TranslationResult {
  if (data?.kind !== 'translation') throw new Error(`no translation: ${JSON.stringify(data)}`)
  return data
}

/** Downloads the file of a translation. */
export async function download(client: Client, id: string, mode = 'translated') {
  const response = await client.fetch(`/api/task/${id}/file?mode=${mode}`)
  if (!response.ok) throw new Error(await response.text())
  const name = decodeURIComponent(response.headers.get('Content-Disposition')!.split("''")[1]!)
  return { name, bytes: new Uint8Array(await response.arrayBuffer()) }
}
