import { hasSignature } from '../signatures.ts'
import {
  IMAGE_TYPES,
  detectImageType,
  findOpenTurn,
  isThought,
  listBlocks,
  listMessages,
  listPictures,
  listPlacedBlocks,
} from './anthropic-checks.ts'
import { BINDING_RULES } from './anthropic-bindings.ts'
import { findFirst, readObject, readText, rule } from './rule.ts'
import type { Body, Rule } from './rule.ts'

/** Anthropic's models refuse more than other servers of their dialect. */

const readModel = ({ model }: Body): string => readText(model)
/** https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-8 */
const takesSystemTurns = (body: Body): boolean =>
  /^claude-(fable|mythos)|^claude-([a-z]+-)?([5-9]|4-[89])(-|$)/.test(readModel(body))
const isFrom = (body: Body, minor: '4-6' | '4-7'): boolean =>
  takesSystemTurns(body) || (minor === '4-6' ? /4-[67](-|$)/ : /4-7(-|$)/).test(readModel(body))

const models: Rule[] = [
  rule('system-is-not-first', 'https://github.com/LeenHawk/gproxy/issues/209', (body) =>
    listMessages(body)[0]?.role === 'system'
      ? {
          message:
            "messages.0: use the top-level 'system' parameter for the initial system prompt; the directive-only form (content: [] with output_config) is accepted at any position",
        }
      : null,
  ),
  rule(
    'system-is-a-field',
    'https://docs.rs/gproxy-transform/2.5.2/gproxy_transform/transform/common/claude_mid_conv_system/index.html',
    (body) =>
      !takesSystemTurns(body) && listMessages(body).some(({ role }) => role === 'system')
        ? { message: "role 'system' is not supported on this model" }
        : null,
  ),
  rule('no-prefill', 'https://github.com/Skyvern-AI/skyvern/pull/4795', (body) =>
    isFrom(body, '4-6') && listMessages(body).at(-1)?.role === 'assistant'
      ? {
          message:
            'This model does not support assistant message prefill. The conversation must end with a user message.',
        }
      : null,
  ),
  rule('no-sampling', 'https://github.com/RooCodeInc/Roo-Code/issues/12162', (body) => {
    const field = ['temperature', 'top_p', 'top_k'].find((one) => body[one] !== undefined)
    return field && isFrom(body, '4-7') ? { message: `\`${field}\` is deprecated for this model.` } : null
  }),
  rule('newer-models-adapt', 'https://code.claude.com/docs/zh-TW/agent-sdk/quickstart', (body) =>
    isFrom(body, '4-7') && readObject(body.thinking).type === 'enabled'
      ? {
          message:
            '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
        }
      : null,
  ),
  rule('older-models-do-not-adapt', 'https://github.com/mnfst/llm-gateway/pull/1928', (body) =>
    !isFrom(body, '4-6') && readObject(body.thinking).type === 'adaptive'
      ? { message: 'adaptive thinking is not supported on this model' }
      : null,
  ),
]

/** From the models' overview: https://platform.claude.com/docs/en/about-claude/models/overview */
const readMaxOutput = (body: Body): number => {
  if (/^claude-opus-4(-1)?(-\d{8})?$/.test(readModel(body))) return 32_000
  return isFrom(body, '4-6') ? 128_000 : 64_000
}

const limits: Rule[] = [
  rule('answer-is-not-too-long', 'https://github.com/OpenHands/OpenHands/issues/11090', (body) => {
    const [asked, max] = [Number(body.max_tokens), readMaxOutput(body)]
    return asked > max
      ? {
          message: `max_tokens: ${asked} > ${max}, which is the maximum allowed number of output tokens for ${readModel(body)}`,
        }
      : null
  }),
  rule('thoughts-have-a-budget', 'https://github.com/themaximalist/llm.js/issues/30', ({ thinking }) => {
    const { type, budget_tokens } = readObject(thinking)
    return type === 'enabled' && Number(budget_tokens) < 1024
      ? { message: 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024' }
      : null
  }),
  // The budget must be less where tools do not interleave with thoughts, which a header turns on.
  rule(
    'thoughts-leave-an-answer',
    'https://platform.claude.com/docs/en/build-with-claude/extended-thinking',
    ({ thinking, max_tokens, tools }) =>
      !tools && Number(readObject(thinking).budget_tokens) >= Number(max_tokens)
        ? { message: '`max_tokens` must be greater than `thinking.budget_tokens`.' }
        : null,
  ),
  rule('at-most-4-cache-marks', 'https://github.com/decolua/9router/issues/3795', (body) => {
    const marks = JSON.stringify(body).match(/"cache_control":\{/g)?.length ?? 0
    return marks > 4
      ? { message: `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.` }
      : null
  }),
]

const NEWEST = 'https://platform.claude.com/docs/en/models/sonnet-5-5/whats-new-sonnet-5-5'
const isNewest = (body: Body): boolean =>
  /^claude-((fable|mythos)-5-[12]|(opus|sonnet)-5-5)/.test(readModel(body))
const isForced = (body: Body): boolean =>
  ['any', 'tool'].includes(readText(readObject(body.tool_choice).type))

/** From 5 on models think unless they are told not to: https://github.com/router-for-me/CLIProxyAPI/pull/4070 */
function thinks(body: Body): boolean {
  const { type = /^claude-[a-z]+-5/.test(readModel(body)) ? 'adaptive' : 'disabled' } = readObject(
    body.thinking,
  )
  return type === 'enabled' || type === 'adaptive'
}

const thoughts: Rule[] = [
  rule('signatures-are-own', 'https://github.com/anthropics/claude-code/issues/10627', (body) =>
    findFirst(listPlacedBlocks(body), ({ at, block }) =>
      block.type === 'thinking' && !hasSignature(readText(block.thinking), readText(block.signature))
        ? { message: `${at}: Invalid \`signature\` in \`thinking\` block` }
        : null,
    ),
  ),
  rule(
    'open-turn-begins-with-thought',
    'https://github.com/lbjlaq/Antigravity-Manager/issues/139',
    (body) => {
      const turn = readObject(body.thinking).type === 'enabled' ? findOpenTurn(body) : null
      const first = turn && listBlocks(turn.message)[0]
      return !first || isThought(first)
        ? null
        : {
            message: `messages.${turn.index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`,
          }
    },
  ),
  // The page lacks the messages of these two.
  rule('newest-force-no-tool', NEWEST, (body) =>
    isNewest(body) && isForced(body)
      ? { message: 'tool_choice: forced tool use is not supported for this model.' }
      : null,
  ),
  rule('newest-think-always', NEWEST, (body) =>
    isNewest(body) && readObject(body.thinking).type === 'disabled'
      ? {
          message:
            '"thinking.type.disabled" is not supported for this model. Use "thinking.type.between_tools" instead.',
        }
      : null,
  ),
  rule('thinking-forces-no-tool', 'https://github.com/can1357/oh-my-pi/issues/341', (body) =>
    isForced(body) && thinks(body)
      ? { message: 'Thinking may not be enabled when tool_choice forces tool use.' }
      : null,
  ),
  rule('thinking-leaves-top-k', 'https://github.com/quarkiverse/quarkus-langchain4j/issues/1812', (body) =>
    readObject(body.thinking).type === 'enabled' && body.top_k !== undefined
      ? { message: '`top_k` must be unset when thinking is enabled.' }
      : null,
  ),
]

const pictures: Rule[] = [
  rule('picture-types', 'https://github.com/anthropics/claude-code/issues/8184', (body) =>
    findFirst(listPictures(body), ({ at, source }) =>
      IMAGE_TYPES.includes(readText(source.media_type))
        ? null
        : {
            message: `${at}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
          },
    ),
  ),
  rule('pictures-are-what-they-say', 'https://github.com/BerriAI/litellm/issues/24900', (body) =>
    findFirst(listPictures(body), ({ at, source }) => {
      const [said, seen] = [readText(source.media_type), detectImageType(readText(source.data))]
      return seen === null || seen === said
        ? null
        : {
            message: `${at}: The image was specified using the ${said} media type, but the image appears to be a ${seen} image`,
          }
    }),
  ),
]

export const ANTHROPIC_MODEL_RULES: Rule[] = [
  ...models,
  ...limits,
  ...thoughts,
  ...BINDING_RULES,
  ...pictures,
]
