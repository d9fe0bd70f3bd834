import type { Transaction } from '#contract/statistics/statistics.ts'

const ACTIONS: Record<Transaction['action'], string> = {
  charge: '消费',
  recharge: '充值',
  signup: '注册赠送',
  grant: '发放',
  reward: '奖励',
  refund: '退款',
  transfer: '转账',
}
const HEADINGS = ['时间', '类型', '用途', '渠道', '模型', '平台', '金币', '输入 Token', '输出 Token', '编号']
/** Spreadsheets read what begins so as a formula (OWASP, CSV Injection); an amount below zero is a number. */
const FORMULA = /^[=+\-@\t\r]/

const toCell = (value: string | number | null): string => {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** In China's time, with a mark by which spreadsheets know that it is UTF-8. */
export function toCsv(transactions: Transaction[]): string {
  const lines = transactions.map((line) => [
    new Date(Date.parse(line.created_at) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
    ACTIONS[line.action],
    line.source,
    line.channel,
    line.model,
    line.platform,
    line.amount,
    line.input_tokens,
    line.output_tokens,
    line.id,
  ])
  return `\uFEFF${[HEADINGS, ...lines].map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`
}
