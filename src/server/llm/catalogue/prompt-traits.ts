import type { Family } from './families.ts'
import type { PromptTraits } from './family-schema.ts'
import type { Dialect } from './schema.ts'

/** The form of a prompt that every server takes, where nothing more is known of it. */
const COMMON: PromptTraits = {
  system_messages: 'first',
  reasoning: 'reasoning_content',
  needs_reasoning: false,
  bound_reasoning: false,
  call_ids: { pattern: '^[^\\s]{1,64}$', chars: 40 },
  tool_names: { pattern: '^[a-zA-Z0-9_-]{1,64}$', chars: 64 },
  any_of_types: false,
  results_before_answers: false,
  json_mode: true,
  null_content: true,
  message_fields: ['name'],
  stops: { max: 4, blank: true },
  deferred_tools: false,
  billing_header: false,
}

const ANTHROPIC_IDS = { pattern: '^[a-zA-Z0-9_-]{1,64}$', chars: 64 }
/** Names that begin with a digit or a dash are refused by Google and Moonshot. */
const NAMES_FROM_A_LETTER = { pattern: '^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$', chars: 64 }

/** https://platform.claude.com/docs/en/api/messages and https://ai.google.dev/api/generate-content */
const BY_DIALECT: Record<Dialect, Partial<PromptTraits>> = {
  openai: {},
  anthropic: {
    system_messages: 'apart',
    reasoning: 'unsigned',
    json_mode: false,
    call_ids: ANTHROPIC_IDS,
    stops: { max: 1000, blank: false },
  },
  gemini: {
    system_messages: 'apart',
    reasoning: 'unread',
    tool_names: NAMES_FROM_A_LETTER,
    stops: { max: 5, blank: true },
  },
  local: { system_messages: 'anywhere', reasoning: 'unread' },
}

/**
 * Vendors' models wherever they are served; the first that matches counts. Sources, all read on 2026-11-28:
 * https://api-docs.deepseek.com/guides/thinking_mode (thoughts come back with calls of tools; R1 refuses them),
 * https://platform.moonshot.cn/docs/guide/use-kimi-k2-thinking-model,
 * https://docs.mistral.ai/api/ (ids of nine characters, unknown fields refused, thinking as parts of the content),
 * https://platform.openai.com/docs/api-reference/chat/create,
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
const BY_MODEL: [RegExp, Partial<PromptTraits>][] = [
  [/deepseek.*r1/i, { reasoning: 'unread' }],
  [/deepseek/i, { needs_reasoning: true }],
  [
    /kimi/i,
    {
      needs_reasoning: true,
      tool_names: NAMES_FROM_A_LETTER,
      any_of_types: true,
    },
  ],
  [/moonshot-v/i, { tool_names: NAMES_FROM_A_LETTER, any_of_types: true }],
  [
    /mistral|codestral|devstral|voxtral|pixtral/i,
    {
      reasoning: 'unread',
      call_ids: { pattern: '^[a-zA-Z0-9]{9}$', chars: 9 },
      results_before_answers: true,
      message_fields: [],
    },
  ],
  [
    /^(gpt-(?!oss)|chatgpt|o\d)/i,
    {
      system_messages: 'anywhere',
      reasoning: 'unread',
      call_ids: { pattern: '^.{1,40}$', chars: 40 },
      message_fields: ['name', 'refusal'],
    },
  ],
  [/^grok/i, { system_messages: 'anywhere', reasoning: 'unread', null_content: false }],
]

/** Claude's own rules count at platforms of Anthropic's dialect only: others that serve it have their own. */
const CLAUDE: Partial<PromptTraits> = {
  reasoning: 'signed',
  needs_reasoning: false,
  tool_names: { pattern: '^[a-zA-Z0-9_-]{1,128}$', chars: 64 },
  deferred_tools: true,
  billing_header: true,
}

/** https://platform.claude.com/docs/build-with-claude/preserved-thinking, read on 2026-11-28. */
const BOUND_CLAUDE = /claude-((fable|mythos)-5-[1-9]|(opus|sonnet|haiku)-5-[5-9]|[a-z]+-[6-9])/i

/** Finds the form of prompts for a platform's model: from its family, else from its vendor, else from its dialect. */
export function findPromptTraits(
  dialect: Dialect,
  model: string,
  family: Pick<Family, 'prompt'>,
): PromptTraits {
  const vendor = BY_MODEL.find(([models]) => models.test(model.split('/').at(-1) ?? ''))?.[1] ?? {}
  // All other traits of vendors concern OpenAI's dialect.
  const { needs_reasoning = false } = vendor
  const vendorTraits =
    dialect === 'openai' ? vendor : { needs_reasoning: dialect === 'anthropic' && needs_reasoning }
  const isClaude = dialect === 'anthropic' && /claude/i.test(model)
  return {
    ...COMMON,
    ...BY_DIALECT[dialect],
    ...vendorTraits,
    ...(isClaude ? { ...CLAUDE, bound_reasoning: BOUND_CLAUDE.test(model) } : {}),
    ...family.prompt,
  }
}
