import { ARCHIVE_PAGE_SIZE, listPages, writeList } from '#server/accounts/account/account.ts'
import type { ArchivePart } from '#server/accounts/account/account.ts'
import type { Blocks } from './blocks.ts'

/** Adds the list of a person's documents to the archive of their data. */
export const createBlockArchive = (blocks: Blocks): ArchivePart => ({
  about: [['documents.json', '你上传的文件与链接的清单；文件本身可在“文档”页下载']],
  async *list(userId) {
    const read = async (offset: number) =>
      (await blocks.list(userId, { page: offset / ARCHIVE_PAGE_SIZE + 1, size: ARCHIVE_PAGE_SIZE })).items
    yield { name: 'documents.json', content: writeList(listPages(read)) }
  },
})
