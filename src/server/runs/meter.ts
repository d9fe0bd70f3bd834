import type { Tokens, Units } from '../ledger/prices.ts'
import type { Usage } from '../llm/chat.ts'
import { countTokens } from '../llm/tokenizer.ts'

/** What a bill is made from, and who counted it. */
export type Metered = Units & { tokens: Tokens; usage_source: 'upstream' | 'counted' }

type Heard = {
  /** What the upstream reported, if that could be true. */
  usage: Omit<Usage, 'source'> | null
  text: string
  reasoning: string
}

/**
 * What a run used: the upstream's word, or else a count of what it produced. The input is then the estimate that its
 * hold was made from: the prompt itself may be gone when a run is ended after a crash.
 */
export async function meter(run: { model: string; input_tokens: number }, heard: Heard): Promise<Metered> {
  const { usage, text, reasoning } = heard
  if (usage) {
    const { input, output, cached, cache_write = 0, reasoning: thought } = usage
    return { tokens: { input, output, cached, cache_write, reasoning: thought }, usage_source: 'upstream' }
  }
  const thought = await countTokens(reasoning, run.model)
  const output = (await countTokens(text, run.model)) + thought
  return {
    tokens: { input: run.input_tokens, output, cached: 0, cache_write: 0, reasoning: thought },
    usage_source: 'counted',
  }
}
