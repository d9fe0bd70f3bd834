import { toJson, writeText } from '#server/accounts/account/account.ts'
import type { ArchivePart } from '#server/accounts/account/account.ts'
import type { Prompts } from './prompts.ts'

/** Adds the prompts that a person saved to the archive of their data. */
export const createPromptArchive = (prompts: Prompts): ArchivePart => ({
  about: [['prompts.json', '你保存的提示词']],
  async *list(userId) {
    yield { name: 'prompts.json', content: writeText(toJson(await prompts.listOwn(userId))) }
  },
})
