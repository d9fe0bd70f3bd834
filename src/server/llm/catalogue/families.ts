import { efforts } from './family-schema.ts'
import type { Effort, FamilyEntry } from './family-schema.ts'
import type { PlatformEntry } from './schema.ts'

/** The ways in which a platform's model goes beyond its dialect or falls short of it. */
export type Family = Omit<FamilyEntry, 'models'>

const SAMPLING = ['temperature', 'top_p', 'top_k']
const REASONING_REFUSES = [...SAMPLING, 'stop', 'presence_penalty', 'frequency_penalty', 'logit_bias']
const family = (models: string, traits: Partial<Family>): FamilyEntry => ({
  models,
  fields: [],
  refuses: [],
  lacks: [],
  ...traits,
})

/**
 * Vendors' models wherever they are served, where a platform's own families say nothing. Sources:
 * https://platform.openai.com/docs/guides/reasoning,
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking and .../adaptive-thinking (from 4.6 on),
 * https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages (from 4.8 on),
 * https://ai.google.dev/gemini-api/docs/thinking
 */
const KNOWN_FAMILIES: FamilyEntry[] = [
  family('^gpt-5(\\.[2-9]|\\.1-codex-max)|^gpt-[6-9]', {
    refuses: REASONING_REFUSES,
    max_tokens: 'max_completion_tokens',
    silent_thinking: true,
    thinking: { efforts: ['none', 'low', 'medium', 'high', 'xhigh'] },
  }),
  family('^(o\\d|gpt-5)', {
    refuses: REASONING_REFUSES,
    max_tokens: 'max_completion_tokens',
    silent_thinking: true,
    thinking: { efforts: ['minimal', 'low', 'medium', 'high'] },
  }),
  family('^(gpt|chatgpt)', { refuses: ['top_k'], thinking: null }),
  family('^claude-(fable-|mythos-|(opus|sonnet)-5-5)', {
    refuses: SAMPLING,
    lacks: ['prefix', 'forced_tool'],
    system_turns: true,
    thinking: { forms: ['adaptive'], efforts: ['low', 'medium', 'high', 'xhigh', 'max'] },
  }),
  family('^claude-([a-z]+-)?([5-9]|4-[89])(-|$)', {
    refuses: SAMPLING,
    lacks: ['prefix'],
    system_turns: true,
    thinking: { forms: ['adaptive'], off: {}, efforts: ['low', 'medium', 'high', 'xhigh', 'max'] },
  }),
  family('^claude-([a-z]+-)?4-7(-|$)', {
    refuses: SAMPLING,
    lacks: ['prefix'],
    thinking: { forms: ['adaptive'], off: {}, efforts: ['low', 'medium', 'high', 'xhigh', 'max'] },
  }),
  family('^claude-([a-z]+-)?4-6(-|$)', {
    lacks: ['prefix'],
    thinking: { forms: ['adaptive', 'budget'], off: {}, efforts: ['low', 'medium', 'high', 'max'] },
  }),
  family('^claude-', { thinking: { forms: ['budget'], off: {} } }),
  family('^gemini-([3-9]|\\d\\d)', { thinking: { forms: ['level'], efforts: ['low', 'high'] } }),
  family('^gemini-', { thinking: { forms: ['budget'], off: {} } }),
]

/** An unknown model is treated as OpenAI documents its own. */
const UNKNOWN: FamilyEntry = family('', {
  thinking: { off: {}, efforts: ['none', 'minimal', 'low', 'medium', 'high'] },
})

/** Finds the family of a platform's model; the platform's own families come first. */
export function findFamily({ families }: Pick<PlatformEntry, 'families'>, model: string): Family {
  const matches = ({ models }: FamilyEntry): boolean => new RegExp(models).test(model)
  return families.find(matches) ?? KNOWN_FAMILIES.find(matches) ?? UNKNOWN
}

/** Tells whether people may switch thinking on and off, or the model always thinks; null: it does not think. */
export function getThinkingMode({ thinking }: Family): 'switch' | 'always' | null {
  if (!thinking) return null
  return thinking.off || thinking.efforts?.includes('none') ? 'switch' : 'always'
}

/** Tokens for thinking, for models that need a number. */
export const THINKING_BUDGET = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 65_536,
}

/** The nearest of the known efforts; of two equally near ones the one nearer to `high`, else the higher one. */
export function toKnownEffort(effort: Effort, knownEfforts: readonly Effort[]): Effort {
  const distance = (one: Effort): number => Math.abs(efforts.indexOf(one) - efforts.indexOf(effort))
  const toHigh = (one: Effort): number => Math.abs(efforts.indexOf(one) - efforts.indexOf('high'))
  // Thinking or not thinking is not a matter of degree.
  const comparable = effort === 'none' ? knownEfforts : knownEfforts.filter((one) => one !== 'none')
  const nearest = comparable.toSorted(
    (a, b) => distance(a) - distance(b) || toHigh(a) - toHigh(b) || efforts.indexOf(b) - efforts.indexOf(a),
  )
  return nearest[0] ?? effort
}
