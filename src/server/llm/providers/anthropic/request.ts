import { asString, isJsonObject } from '#server/core/json.ts'
import { pickForwardedFields } from '../../forwarded-fields.ts'
import { writeBase64 } from '../../chat-request.ts'
import type { ChatRequest, Content, PromptMessage, Reasoning } from '../../chat-request.ts'
import type { PromptTraits } from '../../catalogue/family-schema.ts'
import { isThinking } from '../../prompt/reasoning.ts'
import type { ProviderRequest, ProviderTarget } from '../provider.ts'
import { buildThinkingFields, hasReasoning } from './thinking.ts'
import { parseToolArguments } from '../../prompt/call-arguments.ts'
import { groupIntoTurns, joinSystemText } from '../prompt-turns.ts'
import type { PromptTurn } from '../prompt-turns.ts'

/**
 * Builds a message for an Anthropic-compatible server. `base_url` is as the platform documents it: with a version at its end
 * (`https://api.anthropic.com/v1`) `/messages` follows, without one (`https://api.deepseek.com/anthropic`) `/v1/messages`, as in
 * Anthropic's own clients.
 */
export function buildAnthropicRequest(target: ProviderTarget, request: ChatRequest): ProviderRequest {
  const { base_url, api_key } = target
  const betas = listBetas(target, request)
  return {
    url: `${base_url}${/\/v\d+$/.test(base_url) ? '' : '/v1'}/messages`,
    headers: {
      'anthropic-version': '2023-06-01',
      ...(betas.length ? { 'anthropic-beta': betas.join(',') } : {}),
      ...(api_key ? { 'x-api-key': api_key } : {}),
    },
    body: buildBody(target, request),
  }
}

/** The body of `POST /v1/messages` (https://platform.claude.com/docs/en/api/messages). There is no `seed`. */
function buildBody({ model, fields, family, promptTraits }: ProviderTarget, request: ChatRequest): object {
  const { response_format: format, tools, max_tokens, provider_options } = request
  const hasSystemTurns = family.system_turns ?? false
  const toParts = (message: PromptMessage): object[] => toBlocks(message, promptTraits)
  const { system, turns } = groupIntoTurns(request.messages, { toParts, hasSystemTurns })
  const { output_config, ...thinkingFields } = buildThinkingFields(
    family,
    request,
    needsBinding(request, promptTraits),
  )
  const schema = format?.type === 'json_schema' && { type: 'json_schema', schema: format.schema }
  const { output_config: requestedOutput, ...ownFields } = pickForwardedFields(
    'message',
    provider_options?.anthropic ?? {},
    fields,
  )
  const output = {
    ...output_config,
    ...(schema ? { format: schema } : {}),
    ...(isJsonObject(requestedOutput) ? requestedOutput : {}),
  }
  return {
    model,
    max_tokens,
    system: toSystemBlocks(system, toParts) ?? (joinSystemText(system) || undefined),
    messages: trimPrefix(turns).map(({ role, parts }) => ({ role, content: parts })),
    stop_sequences: request.stop_sequences,
    tools: tools?.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    })),
    tool_choice: tools && toToolChoice(request.tool_choice),
    ...ownFields,
    ...thinkingFields,
    ...(Object.keys(output).length ? { output_config: output } : {}),
    stream: true,
  }
}

/** The beginning of an answer that is to be continued may not end with white space. */
function trimPrefix(turns: PromptTurn<object>[]): PromptTurn<object>[] {
  const last = turns.at(-1)
  const block = last?.parts.at(-1)
  if (last?.role !== 'assistant' || !isJsonObject(block) || typeof block['text'] !== 'string') return turns
  const parts = [...last.parts.slice(0, -1), { ...block, text: block['text'].trimEnd() }]
  return [...turns.slice(0, -1), { ...last, parts }]
}

/** The values of `anthropic-beta`: the caller's, and the value that `block_binding` needs. */
function listBetas({ promptTraits }: ProviderTarget, request: ChatRequest): string[] {
  const betas = request.provider_options?.anthropic_betas ?? []
  const isComplete = !needsBinding(request, promptTraits) || betas.includes(BINDING_BETA)
  return isComplete ? betas : [...betas, BINDING_BETA]
}

const BINDING_BETA = 'thinking-binding-controls-2026-08-01'

/**
 * Reasoning is put back for clients that know nothing of it, and that may have changed the prompt before it: the platform is then
 * asked to drop the reasoning rather than refuse the call.
 */
const needsBinding = ({ messages }: ChatRequest, { bound_reasoning }: PromptTraits): boolean =>
  bound_reasoning && hasReasoning(messages)

function toToolChoice(choice: ChatRequest['tool_choice']): object | undefined {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return choice && { type: choice === 'required' ? 'any' : choice }
}

/** The system prompt as blocks, if it came as blocks or one of its parts carries a cache mark. */
function toSystemBlocks(
  system: PromptMessage[],
  toParts: (message: PromptMessage) => object[],
): object[] | undefined {
  const hasBlocks = ({ provider_options, content }: PromptMessage): boolean =>
    provider_options?.anthropic !== undefined ||
    (typeof content !== 'string' && content.some((part) => 'cache_control' in part))
  return system.some(hasBlocks) ? system.flatMap(toParts) : undefined
}

function toBlocks(message: PromptMessage, { reasoning: place }: PromptTraits): object[] {
  const ownBlocks = message.provider_options?.anthropic?.blocks
  const reasoning = message.role === 'assistant' ? toThinkingBlocks(message.reasoning, place) : []
  if (ownBlocks) {
    const keptBlocks = ownBlocks.filter(({ type, text }) => type !== 'text' || asString(text).trim())
    return keptBlocks.some(isThinking) ? keptBlocks : [...reasoning, ...keptBlocks]
  }
  const blocks = [...reasoning, ...toContentBlocks(message.content)]
  if (message.role === 'tool')
    return [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: blocks }]
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  const uses = calls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: parseToolArguments(call),
  }))
  return [...blocks, ...uses]
}

function toThinkingBlocks(reasoning: Reasoning | undefined, place: PromptTraits['reasoning']): object[] {
  if (!reasoning) return []
  if (place === 'unsigned')
    return reasoning.text ? [{ type: 'thinking', thinking: reasoning.text, signature: '' }] : []
  return (reasoning.signed ?? []).map(({ text, signature, redacted }) =>
    redacted
      ? { type: 'redacted_thinking', data: signature }
      : { type: 'thinking', thinking: text, signature },
  )
}

/** The platform rejects texts of white space. The models file allows no model with sound in this dialect. */
function toContentBlocks(content: Content): object[] {
  if (typeof content === 'string') return content.trim() ? [{ type: 'text', text: content }] : []
  return content.flatMap((part): object[] => {
    if (part.type === 'text') return part.text.trim() ? [part] : []
    if (part.type === 'audio') return []
    const source =
      'url' in part
        ? { type: 'url', url: part.url }
        : { type: 'base64', media_type: part.media_type, data: writeBase64(part.data) }
    if (part.type === 'image') return [{ type: 'image', source }]
    return [{ type: 'document', source, ...(part.name ? { title: part.name } : {}) }]
  })
}
