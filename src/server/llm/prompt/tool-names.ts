import { isJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { ChatRequest, PromptMessage } from '../chat-request.ts'
import type { StreamPart } from '../stream-part.ts'
import { toHashedName, toWord } from './fitting-names.ts'
import type { FittingNames } from './fitting-names.ts'
import { mapBlocks, mapInnerBlocks } from './native-blocks.ts'

/** The caller's names of tools by the platform's names; empty where they are the same. */
export type OwnNames = ReadonlyMap<string, string>

/** Gives tools names that the platform takes, and returns the caller's names by these. */
export function fitToolNames(
  request: ChatRequest,
  fitting: FittingNames,
): { request: ChatRequest; ownNames: OwnNames } {
  const names = createNames(listNames(request), fitting)
  const ownNames = new Map([...names].map(([ownName, fitted]) => [fitted, ownName]))
  if (!names.size) return { request, ownNames }
  const rename = (name: string): string => names.get(name) ?? name
  const { tools, tool_choice, messages, provider_options } = request
  const renamed: ChatRequest = {
    ...request,
    messages: messages.map((message) => renameCalls(message, rename)),
    ...(tools ? { tools: tools.map((tool) => ({ ...tool, name: rename(tool.name) })) } : {}),
    ...(typeof tool_choice === 'object' ? { tool_choice: { name: rename(tool_choice.name) } } : {}),
    ...(provider_options?.anthropic
      ? {
          provider_options: {
            ...provider_options,
            anthropic: renameFields(provider_options.anthropic, rename),
          },
        }
      : {}),
  }
  return { request: renamed, ownNames }
}

/** Gives a part of an answer the caller's name of its tool. */
export function restoreToolNames<Part extends StreamPart>(part: Part, ownNames: OwnNames): Part {
  if (!ownNames.size) return part
  if (part.type === 'choice') return { ...part, part: restoreToolNames(part.part, ownNames) }
  return part.type === 'tool_call' ? { ...part, name: ownNames.get(part.name) ?? part.name } : part
}

function listNames({ tools = [], messages }: ChatRequest): Set<string> {
  const called = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []) : [],
  )
  return new Set([...tools, ...called].map(({ name }) => name))
}

/** Creates names for tools whose own do not fit. A word that is a name already, or too long, ends with a hash. */
function createNames(ownNames: Set<string>, fitting: FittingNames): Map<string, string> {
  const pattern = new RegExp(fitting.pattern)
  const names = new Map<string, string>()
  const takenNames = new Set(ownNames)
  for (const name of ownNames) {
    if (pattern.test(name)) continue
    const word = toWord(name)
    const fitted = pattern.test(word) && !takenNames.has(word) ? word : toHashedName(name, fitting)
    names.set(name, fitted)
    takenNames.add(fitted)
  }
  return names
}

function renameCalls(message: PromptMessage, rename: (name: string) => string): PromptMessage {
  const renameBlock = (block: JsonObject): JsonObject => {
    const { type, name, tool_name } = block
    if (type === 'tool_use' && typeof name === 'string') return { ...block, name: rename(name) }
    if (type === 'tool_reference' && typeof tool_name === 'string')
      return { ...block, tool_name: rename(tool_name) }
    return mapInnerBlocks(block, renameBlock)
  }
  const renamed = mapBlocks(message, renameBlock)
  if (renamed.role !== 'assistant' || !renamed.tool_calls) return renamed
  return { ...renamed, tool_calls: renamed.tool_calls.map((call) => ({ ...call, name: rename(call.name) })) }
}

/** Renames tools and the choice among them in the fields of Anthropic's dialect. */
function renameFields<Fields extends JsonObject>(fields: Fields, rename: (name: string) => string): Fields {
  const renameOne = (value: unknown): unknown =>
    isJsonObject(value) && typeof value['name'] === 'string'
      ? { ...value, name: rename(value['name']) }
      : value
  const { tools, tool_choice } = fields
  return {
    ...fields,
    ...(Array.isArray(tools) ? { tools: tools.map(renameOne) } : {}),
    ...(tool_choice ? { tool_choice: renameOne(tool_choice) } : {}),
  }
}
