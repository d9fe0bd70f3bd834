import { writeText } from '#server/accounts/account/account.ts'
import type { ArchivePart } from '#server/accounts/account/account.ts'
import type { Statistics } from './statistics.ts'

/** Adds a person's transactions to the archive of their data. */
export const createStatisticsArchive = (statistics: Statistics): ArchivePart => ({
  about: [['transactions.csv', '收支明细，最近 50000 条']],
  async *list(userId) {
    yield { name: 'transactions.csv', content: writeText(await statistics.exportTransactions(userId, {})) }
  },
})
