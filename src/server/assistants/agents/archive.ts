import { ARCHIVE_PAGE_SIZE, listPages, writeList } from '#server/accounts/account/account.ts'
import type { ArchivePart } from '#server/accounts/account/account.ts'
import type { Agents } from './agents.ts'

/** Adds a person's own agents to the archive of their data. */
export const createAgentArchive = (agents: Agents): ArchivePart => ({
  about: [['agents.json', '你的智能体，含提示词与来源']],
  async *list(userId) {
    yield { name: 'agents.json', content: writeList(listOwn(agents, userId)) }
  },
})

async function* listOwn(agents: Agents, userId: string): AsyncGenerator {
  const readCards = async (offset: number) =>
    (await agents.list(userId, { tab: 'default', q: '', offset, size: ARCHIVE_PAGE_SIZE })).items
  for await (const { uuid, owned } of listPages(readCards)) {
    // A person's own agents come first.
    if (!owned) return
    yield await agents.get(userId, uuid)
  }
}
