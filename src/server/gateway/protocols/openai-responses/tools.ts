import { createHash } from 'node:crypto'
import type { ResponseRequest } from '#contract/gateway/responses.ts'
import type {
  CallableResponseTool,
  ResponseToolChoice,
  SearchResponseTool,
} from '#contract/gateway/response-tools.ts'
import type { ChatRequest, Tool } from '#server/llm/llm.ts'
import { parseTool } from '../openai-chat/prompt.ts'
import { createHostedToolError } from '../../pipeline/chat-call.ts'
import { toCustomFunction } from '../custom-input.ts'

// Platforms know functions only: custom tools and tools of a namespace become functions, under names of their own.

/** A tool's name at the client. */
export type ToolName = {
  type: 'function' | 'custom' | 'tool_search'
  name: string
  namespace?: string | null | undefined
}

type NamedTool = {
  at: ToolName
  platform_name: string
  tool: CallableResponseTool | (SearchResponseTool & { name: string })
}
type Tools = NonNullable<ResponseRequest['tools']>

/** The longest name that every platform accepts. */
const MAX_NAME_CHARS = 64

/** The name of a tool at the platforms. A name that would be too long ends with a hash. */
function joinName({ namespace, name }: Pick<ToolName, 'namespace' | 'name'>): string {
  if (!namespace) return name
  const joined = `${namespace}${namespace.endsWith('__') ? '' : '__'}${name}`
  if (joined.length <= MAX_NAME_CHARS) return joined
  const hash = createHash('sha256').update(joined).digest('hex').slice(0, 8)
  return `${joined.slice(0, MAX_NAME_CHARS - hash.length - 1)}_${hash}`
}

/** The name of the function by which platforms see a client's search for tools. */
export const SEARCH_NAME = 'tool_search'

/** The tools of a call, with the tools that its searches have found. */
export const listTools = ({ tools, input }: Pick<ResponseRequest, 'tools' | 'input'>): Tools => [
  ...(tools ?? []),
  ...(typeof input === 'string'
    ? []
    : input.flatMap((item) => (item.type === 'tool_search_output' && item.call_id ? item.tools : []))),
]

export type ToolNames = ReturnType<typeof createToolNames>

/** Maps a client's names of its tools to their names at the platforms, and back. */
export function createToolNames(tools: Tools) {
  const toolsByName = new Map<string, NamedTool>()
  const add = (tool: NamedTool['tool'], namespace?: string): void => {
    const at = { type: tool.type, name: tool.name, namespace }
    const joined = joinName(at)
    let platformName = joined
    for (let nth = 2; toolsByName.has(platformName); nth++)
      platformName = `${joined.slice(0, MAX_NAME_CHARS - 4)}_${nth}`
    toolsByName.set(platformName, { at, platform_name: platformName, tool })
  }
  for (const tool of tools) {
    if (tool.type === 'namespace') for (const inner of tool.tools) add(inner, tool.name)
    else if (tool.type === 'tool_search') add({ ...tool, name: SEARCH_NAME })
    else if (tool.type !== 'hosted') add(tool)
  }
  const list = [...toolsByName.values()]
  return {
    list,
    /** The name at the platforms of a tool that the client names, even if it no longer offers the tool. */
    toPlatformName: ({ namespace, name }: Pick<ToolName, 'namespace' | 'name'>): string =>
      list.find(({ at }) => at.name === name && (at.namespace ?? '') === (namespace ?? ''))?.platform_name ??
      joinName({ namespace, name }),
    /** The client's name of a tool that a platform calls. */
    toClientName: (platformName: string): ToolName =>
      toolsByName.get(platformName)?.at ?? { type: 'function', name: platformName },
  }
}

/**
 * Converts the tools of a call to functions, and lists the tools that nobody here can run, which are left out. Throws AppError
 * bad_request where the model must call one of those.
 */
export function parseTools(
  { tools, tool_choice }: Pick<ResponseRequest, 'tools' | 'tool_choice'>,
  names: ToolNames,
): Pick<ChatRequest, 'tools' | 'tool_choice'> & { dropped_tools: string[] } {
  const droppedTools = (tools ?? []).flatMap((tool) => (tool.type === 'hosted' ? tool.name : []))
  const choice = parseChoice(tool_choice, names)
  const list = choice.allowed ?? names.list
  if (!list.length && choice.mode !== 'auto' && choice.mode !== 'none' && tools?.length)
    throw createHostedToolError(droppedTools[0] ?? '')
  if (!list.length) return { dropped_tools: droppedTools }
  return {
    tools: list.map(({ platform_name, tool }) => toFunction(platform_name, tool)),
    tool_choice: tool_choice ? choice.mode : undefined,
    dropped_tools: droppedTools,
  }
}

type Choice = { mode: NonNullable<ChatRequest['tool_choice']>; allowed?: NamedTool[] }

function parseChoice(choice: ResponseToolChoice | null | undefined, names: ToolNames): Choice {
  if (!choice) return { mode: 'auto' }
  if (typeof choice === 'string') return { mode: choice }
  if (isNamedChoice(choice)) return { mode: { name: names.toPlatformName(choice) } }
  if (!isAllowedTools(choice)) throw createHostedToolError(choice.type)
  const allowed = names.list.filter(({ at }) =>
    choice.tools.some(({ type, name }) => type === at.type && name === at.name),
  )
  return { mode: choice.mode, allowed }
}

type ChoiceObject = Exclude<ResponseToolChoice, string>
const isNamedChoice = (
  choice: ChoiceObject,
): choice is Extract<ChoiceObject, { type: 'function' | 'custom' }> =>
  choice.type === 'function' || choice.type === 'custom'
const isAllowedTools = (choice: ChoiceObject): choice is Extract<ChoiceObject, { type: 'allowed_tools' }> =>
  choice.type === 'allowed_tools'

function toFunction(name: string, tool: NamedTool['tool']): Tool {
  if (tool.type !== 'custom') {
    const { description, parameters } = tool
    return parseTool({ name, description, parameters, strict: tool.type === 'function' ? tool.strict : null })
  }
  const { description, format } = tool
  return toCustomFunction({ name, description, grammar: format?.type === 'grammar' ? format : null })
}
