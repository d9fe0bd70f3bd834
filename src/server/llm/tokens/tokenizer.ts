import { hasChineseTokenizer } from './estimate.ts'

/** Characters of a piece: byte-pair encoding takes quadratic time for one long run of the same character. */
const PIECE_CHARS = 1000
/** Pieces between two turns of the event loop. */
const PIECES_PER_TICK = 32
/**
 * The Chinese vendors' own vocabularies hold more Chinese words than o200k_base: DeepSeek documents 0.6 tokens a Chinese
 * character where o200k_base needs about 0.8.
 */
const CHINESE_TOKENIZER_RATIO = 0.75

/**
 * Tokens of a text by a real tokenizer (o200k_base, gpt-tokenizer), for bills of answers whose upstream reported none.
 * At least 1 unless the text is empty. The vocabulary takes 77 MB and is loaded when it is first needed.
 */
export async function countTokens(text: string, model: string): Promise<number> {
  if (!text) return 0
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base')
  let tokens = 0
  for (let at = 0; at < text.length; at += PIECE_CHARS) {
    tokens += count(text.slice(at, at + PIECE_CHARS), { allowedSpecial: 'all' })
    if ((at / PIECE_CHARS) % PIECES_PER_TICK === PIECES_PER_TICK - 1) await new Promise(setImmediate)
  }
  return Math.max(1, Math.ceil(hasChineseTokenizer(model) ? tokens * CHINESE_TOKENIZER_RATIO : tokens))
}
