import type { OrganizationBill } from '#contract/organizations/organizations.ts'
import { toExactCoins } from '#server/core/coins.ts'
import { toCsv, toCsvTime } from '#server/core/csv.ts'
import type { Db } from '#server/core/database/database.ts'
import { countBills, listBills } from './store.ts'
import type { BillRow } from './store.ts'

const MAX_EXPORTED = 50_000

/** Returns a page of an organization's bills, the newest first, and their number. The caller has checked permissions. */
export async function readBills(
  db: Db,
  organizationId: string,
  { page, page_size }: { page: number; page_size: number },
): Promise<{ items: OrganizationBill[]; total: number }> {
  const [rows, total] = await Promise.all([
    listBills(db, organizationId, { offset: (page - 1) * page_size, limit: page_size }),
    countBills(db, organizationId),
  ])
  return { items: rows.map(present), total }
}

/** Exports the bills as CSV. The caller has checked permissions. */
export async function exportBills(db: Db, organizationId: string): Promise<string> {
  const rows = await listBills(db, organizationId, { offset: 0, limit: MAX_EXPORTED })
  return toCsv(
    ['时间', '成员', '用途', '模型', '金币', '输入 Token', '输出 Token', '编号'],
    rows
      .map(present)
      .map((bill) => [
        toCsvTime(bill.created_at),
        bill.name,
        bill.source,
        bill.model,
        bill.amount,
        bill.input_tokens,
        bill.output_tokens,
        bill.id,
      ]),
  )
}

const present = ({ amount, ...row }: BillRow): OrganizationBill => ({
  ...row,
  amount: toExactCoins(BigInt(amount)),
})
