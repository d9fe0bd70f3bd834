/** Most tokens that the cost call accepts (contract, POST /api/token/costs). */
export const MAX_TOKENS = 1_000_000_000

const units: Record<string, number> = { '': 1, k: 1_000, m: 1_000_000, 万: 10_000, 亿: 100_000_000 }

/** Reads a count as people write it: `1500`, `1,500`, `1.5k`, `2M`, `3万`. Empty is 0; null if it is no count from 0 to `max`. */
export function parseCount(text: string, max = MAX_TOKENS): number | null {
  const plain = text.replace(/[\s,，]/g, '').toLowerCase()
  if (!plain) return 0
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)([km万亿]?)$/.exec(plain) ?? []
  if (!digits) return null
  const count = Math.round(Number(digits) * (units[unit] ?? 1))
  return count <= max ? count : null
}

const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/gu

/** Estimates the tokens of a text by the rate in DeepSeek's documents: 0.6 for a Chinese character, 0.3 for any other. */
export function estimateTokens(text: string): number {
  const cjk = text.match(CJK)?.length ?? 0
  return Math.ceil(cjk * 0.6 + (text.length - cjk) * 0.3)
}
