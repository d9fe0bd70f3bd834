/** Groups of an API key: how its calls choose among platforms (reference-product, "Keys"). Free of zod for the web. */
export const keyGroups = [
  { name: 'balance', alias: '均衡', desc: '综合价格、速度与可用性' },
  { name: 'lowcost', alias: '低价优先', desc: '优先选择价格最低的平台' },
  { name: 'ha', alias: '高可用', desc: '优先选择近期最稳定的平台' },
  { name: 'none', alias: '原厂直连', desc: '只使用模型原厂，不经过其他平台' },
] as const

export type KeyGroup = (typeof keyGroups)[number]['name']

/** Most API keys, and most provision keys, of one account at a time. */
export const MAX_KEYS_PER_USER = 100
/** Highest credit limit, coins. */
export const MAX_CREDIT_LIMIT = 10_000_000
