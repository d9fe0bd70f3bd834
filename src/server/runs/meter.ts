import type { Tokens, Units } from '../ledger/prices.ts'
import { countTokens } from '#server/llm/llm.ts'
import type { Usage } from '#server/llm/llm.ts'

/** What a bill is made from, and who counted it. */
export type MeteredUsage = Units & { tokens: Tokens; usage_source: 'upstream' | 'counted' }

type MeterInput = {
  /** What the upstream reported, if that could be true. */
  usage: Usage | null
  text: string
  reasoning: string
}

/**
 * What a run used: the upstream's word, or else a count of what it produced. The input is then the estimate that its
 * hold was made from: the prompt itself may be gone when a run is ended after a crash.
 */
export async function meterRun(
  run: { model: string; input_tokens: number },
  response: MeterInput,
): Promise<MeteredUsage> {
  const { usage, text, reasoning } = response
  if (usage) {
    const { input, output, cached, cache_write = 0, reasoning: reasoning_tokens } = usage
    return {
      tokens: { input, output, cached, cache_write, reasoning: reasoning_tokens },
      usage_source: 'upstream',
    }
  }
  const reasoning_tokens = await countTokens(reasoning, run.model)
  const output = (await countTokens(text, run.model)) + reasoning_tokens
  return {
    tokens: { input: run.input_tokens, output, cached: 0, cache_write: 0, reasoning: reasoning_tokens },
    usage_source: 'counted',
  }
}
