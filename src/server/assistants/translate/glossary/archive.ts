import { toJson, writeText } from '#server/accounts/account/account.ts'
import type { ArchivePart } from '#server/accounts/account/account.ts'
import type { Glossary } from './glossary.ts'

/** Adds a person's own terms to the archive of their data. */
export const createGlossaryArchive = (glossary: Glossary): ArchivePart => ({
  about: [['glossary.json', '你的术语表']],
  async *list(userId) {
    yield { name: 'glossary.json', content: writeText(toJson(await glossary.list(userId, { scope: 'own' }))) }
  },
})
