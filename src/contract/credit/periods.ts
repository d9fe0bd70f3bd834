/** Product period labels of the specification (section 3). Kept free of zod for the web. */
export const periodLabels = {
  forever: '永久',
  monthly: '月',
  yearly: '年',
  quarterly: '季',
  weekly: '周',
  halfyearly: '半年',
} as const

export type Period = keyof typeof periodLabels
