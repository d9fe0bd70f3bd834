import type { Transaction } from '#contract/statistics/statistics.ts'
import { toCsv, toCsvTime } from '#server/core/csv.ts'

const ACTIONS: Record<Transaction['action'], string> = {
  charge: '消费',
  recharge: '充值',
  signup: '注册赠送',
  grant: '发放',
  reward: '邀请赠送',
  refund: '退款',
  transfer: '转账',
  forfeit: '注销作废',
}
const HEADINGS = ['时间', '类型', '用途', '渠道', '模型', '平台', '金币', '输入 Token', '输出 Token', '编号']

export const toTransactionsCsv = (transactions: Transaction[]): string =>
  toCsv(
    HEADINGS,
    transactions.map((line) => [
      toCsvTime(line.created_at),
      ACTIONS[line.action],
      line.source,
      line.channel,
      line.model,
      line.platform,
      line.amount,
      line.input_tokens,
      line.output_tokens,
      line.id,
    ]),
  )
