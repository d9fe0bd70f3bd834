/** Product period labels of the specification (section 3). This file has no zod, so that the web can read it. */
export const periodLabels = {
  forever: '永久',
  monthly: '月',
  yearly: '年',
  quarterly: '季',
  weekly: '周',
  halfyearly: '半年',
} as const

export type Period = keyof typeof periodLabels
