import type { Users } from '#server/accounts/users/users.ts'
import type { ArchiveFile } from './archive.ts'

/** A feature's part of the archive of a person's data. */
export type ArchivePart = {
  /** Its files with their meanings, for the list in the archive; a name may be a folder. */
  about: readonly (readonly [name: string, meaning: string])[]
  list(userId: string): AsyncIterable<ArchiveFile>
}

/** Items that `listPages` reads at a time. */
export const ARCHIVE_PAGE_SIZE = 100
const NAME_WIDTH = 20

/** Yields all files of a user's archive: a list of them, the profile, and the parts in their order. */
export async function* listArchiveFiles(
  users: Users,
  parts: readonly ArchivePart[],
  userId: string,
): AsyncGenerator<ArchiveFile> {
  const about = [['profile.json', '资料与设置'] as const, ...parts.flatMap((part) => part.about)]
  const lines = about.map(([name, meaning]) => `${name.padEnd(NAME_WIDTH)}${meaning}\n`)
  yield { name: '说明.txt', content: writeText(`这是你在问渠的数据。\n\n${lines.join('')}`) }
  const [info, chatSetting] = await Promise.all([users.getInfo(userId), users.getChatSetting(userId)])
  yield { name: 'profile.json', content: writeText(toJson({ ...info, chat_setting: chatSetting })) }
  for (const part of parts) yield* part.list(userId)
}

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** Writes a text that is at hand as the content of a file. */
export async function* writeText(content: string): AsyncGenerator<string> {
  yield content
}

/** Writes a list as one JSON array. */
export async function* writeList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const item of items) {
    yield separator + toJson(item)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** Yields the items of all pages, until a page is not full. */
export async function* listPages<T>(readPage: (offset: number) => Promise<T[]>): AsyncGenerator<T> {
  for (let offset = 0; ; offset += ARCHIVE_PAGE_SIZE) {
    const items = await readPage(offset)
    yield* items
    if (items.length < ARCHIVE_PAGE_SIZE) return
  }
}
