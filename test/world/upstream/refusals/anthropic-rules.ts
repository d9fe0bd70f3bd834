import {
  findBlankText,
  isThought,
  listBlocks,
  listMessages,
  listOwnTools,
  listPlacedBlocks,
  listResults,
  listUses,
} from './anthropic-checks.ts'
import { ANTHROPIC_MODEL_RULES } from './anthropic-model-rules.ts'
import { findFirst, readObject, readText, readTexts, rule } from './rule.ts'
import type { Body, Rule } from './rule.ts'

/** https://platform.claude.com/docs/en/api/messages/create */
const FIELDS = new Set(
  (
    'cache_control container context_management fallbacks inference_geo max_tokens mcp_servers messages metadata model ' +
    'output_config output_format service_tier speed stop_sequences stream system temperature thinking tool_choice tools ' +
    'top_k top_p'
  ).split(' '),
)
const TOOL_FIELDS = new Set(
  'allowed_callers cache_control defer_loading description eager_input_streaming input_examples input_schema name strict type'.split(
    ' ',
  ),
)
const BLOCK_FIELDS: Record<string, string[]> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
}
const findExtra = (object: Body, known: Iterable<string>): string | undefined => {
  const names = new Set(known)
  return Object.keys(object).find((one) => !names.has(one))
}

/** Rules of any server of this dialect. */
const order: Rule[] = [
  rule('messages-are-there', 'https://github.com/zebbern/Devonz/issues/4', (body) =>
    listMessages(body).length ? null : { message: 'messages: at least one message is required' },
  ),
  // Results behind a text count as missing: https://github.com/anthropics/anthropic-sdk-typescript/issues/653.
  rule('results-follow-uses', 'https://github.com/anthropics/claude-code/issues/8612', (body) => {
    const messages = listMessages(body)
    return findFirst(messages, (message, index) => {
      const answered = listResults(messages[index + 1])
      const ids = listUses(message).filter((id) => !answered.includes(id))
      return ids.length
        ? {
            message: `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
          }
        : null
    })
  }),
  rule('results-have-uses', 'https://github.com/anthropics/claude-code/issues/13460', (body) => {
    const messages = listMessages(body)
    return findFirst(listPlacedBlocks(body), ({ index, at, block }) => {
      const before = messages[index - 1]
      const id = readText(block.tool_use_id)
      return block.type !== 'tool_result' || (before && listUses(before).includes(id))
        ? null
        : {
            message: `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
          }
    })
  }),
]

const tools: Rule[] = [
  rule('tool-names', 'https://github.com/home-assistant/core/issues/147760', (body) =>
    findFirst(listOwnTools(body), ({ index, name }) =>
      /^[a-zA-Z0-9_-]{1,128}$/.test(name)
        ? null
        : { message: `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'` },
    ),
  ),
  rule('tool-names-differ', 'https://github.com/danny-avila/LibreChat/issues/13162', (body) => {
    const names = listOwnTools(body).map(({ name }) => name)
    return new Set(names).size < names.length ? { message: 'tools: Tool names must be unique.' } : null
  }),
  rule('use-ids', 'https://github.com/vybestack/llxprt-code/issues/964', (body) =>
    findFirst(listPlacedBlocks(body), ({ at, block }) => {
      const type = readText(block.type)
      const field = type === 'tool_result' ? 'tool_use_id' : 'id'
      const isId = type === 'tool_use' || type === 'tool_result'
      return isId && !/^[a-zA-Z0-9_-]+$/.test(readText(block[field]))
        ? { message: `${at}.${type}.${field}: String should match pattern '^[a-zA-Z0-9_-]+$'` }
        : null
    }),
  ),
  rule('use-inputs', 'https://github.com/anthropics/claude-code/issues/6695', (body) =>
    findFirst(listPlacedBlocks(body), ({ at, block: { type, input } }) =>
      type === 'tool_use' && (typeof input !== 'object' || input === null || Array.isArray(input))
        ? { message: `${at}.tool_use.input: Input should be a valid dictionary` }
        : null,
    ),
  ),
  rule('schemas-have-type', 'https://github.com/Kilo-Org/kilocode/issues/12238', (body) =>
    findFirst(listOwnTools(body), ({ index, schema }) => {
      if (schema.type === 'object') return null
      const reason = schema.type === undefined ? 'Field required' : "Input should be 'object'"
      return { message: `tools.${index}.custom.input_schema.type: ${reason}` }
    }),
  ),
  rule('schemas-have-no-top-combinator', 'https://github.com/anthropics/claude-code/issues/5973', (body) =>
    findFirst(listOwnTools(body), ({ index, schema }) =>
      ['oneOf', 'allOf', 'anyOf'].some((keyword) => keyword in schema)
        ? {
            message: `tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
          }
        : null,
    ),
  ),
]

const texts: Rule[] = [
  // A blank text beside another one passes: https://github.com/LibreChat-AI/agents/pull/124 has tried each of them.
  rule('texts-are-not-blank', 'https://github.com/home-assistant/core/issues/175637', (body) => {
    const blank = findBlankText(body)
    if (!blank) return null
    const words = blank.isEmpty ? 'be non-empty' : 'contain non-whitespace text'
    return { message: `messages: text content blocks must ${words}` }
  }),
  rule('content-is-not-empty', 'https://github.com/anthropics/claude-code/issues/6774', (body) =>
    findFirst(listMessages(body), (message, index) =>
      listBlocks(message).length || (message.role === 'assistant' && index === listMessages(body).length - 1)
        ? null
        : {
            message: `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
          },
    ),
  ),
  rule('no-space-at-the-end', 'https://github.com/langchain-ai/langchain/issues/35071', (body) => {
    const last = listMessages(body).at(-1)
    const text = last?.role === 'assistant' ? readText(listBlocks(last).at(-1)?.text) : ''
    return text === text.trimEnd()
      ? null
      : { message: 'messages: final assistant content cannot end with trailing whitespace' }
  }),
  rule('stops-are-not-blank', 'https://github.com/BerriAI/litellm/issues/3286', (body) =>
    readTexts(body.stop_sequences).some((stop) => !stop.trim())
      ? { message: 'stop_sequences: each stop sequence must contain non-whitespace' }
      : null,
  ),
]

const fields: Rule[] = [
  rule('fields-are-known', 'https://github.com/amrit110/oli/issues/7', (body) => {
    const field = findExtra(body, FIELDS)
    return field === undefined ? null : { message: `${field}: Extra inputs are not permitted` }
  }),
  rule('block-fields-are-known', 'https://github.com/anthropics/claude-code/issues/4378', (body) =>
    findFirst(listPlacedBlocks(body), ({ at, block }) => {
      const type = readText(block.type)
      const field = BLOCK_FIELDS[type] && findExtra(block, BLOCK_FIELDS[type])
      return field ? { message: `${at}.${type}.${field}: Extra inputs are not permitted` } : null
    }),
  ),
  rule('tool-fields-are-known', 'https://github.com/anthropics/claude-code/issues/4378', (body) =>
    findFirst(listOwnTools(body), ({ index }) => {
      const field = findExtra(readObject((body.tools as unknown[])[index]), TOOL_FIELDS)
      return field ? { message: `tools.${index}.custom.${field}: Extra inputs are not permitted` } : null
    }),
  ),
]

export const ANTHROPIC_RULES: Rule[] = [...fields, ...order, ...tools, ...texts, ...ANTHROPIC_MODEL_RULES]

/** Rules of DeepSeek's, Kimi's and MiniMax's addresses of this dialect: thoughts need no signature, yet have to come back. */
export const ANTHROPIC_COMPATIBLE_RULES: Rule[] = [
  ...order,
  ...tools,
  rule('no-system-turns', 'https://github.com/aattaran/deepclaude/issues/29', (body) => {
    const index = listMessages(body).findIndex(({ role }) => role === 'system')
    return index === -1
      ? null
      : {
          message: `Failed to deserialize the JSON body into the target type: messages[${index}].role: unknown variant \`system\`, expected \`user\` or \`assistant\` at line 1 column 1`,
        }
  }),
  rule('thoughts-come-back', 'https://github.com/esengine/DeepSeek-Reasonix/issues/8902', (body) => {
    const isOn = ['enabled', 'adaptive'].includes(readText(readObject(body.thinking).type))
    const isMissing = (message: Body): boolean => {
      const blocks = listBlocks(message)
      const use = blocks.findIndex(({ type }) => type === 'tool_use')
      return use !== -1 && !blocks.slice(0, use).some(isThought)
    }
    return isOn && listMessages(body).some(isMissing)
      ? { message: 'The `content[].thinking` in the thinking mode must be passed back to the API.' }
      : null
  }),
]
