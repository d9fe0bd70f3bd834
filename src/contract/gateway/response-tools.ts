import { z } from 'zod'
import { toolName as name } from './chat-completions.ts'

// The tools of OpenAI's Responses API (https://platform.openai.com/docs/api-reference/responses/create#responses-create-tools).

const functionTool = z.looseObject({
  type: z.literal('function'),
  name,
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
})
/** Called with one free text. A grammar for it is a request to the model, no promise. */
const customTool = z.looseObject({
  type: z.literal('custom'),
  name,
  description: z.string().nullish(),
  format: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('grammar'), syntax: z.enum(['lark', 'regex']), definition: z.string() }),
    ])
    .nullish(),
})
const callableTool = z.discriminatedUnion('type', [functionTool, customTool])
const namespaceTool = z.looseObject({
  type: z.literal('namespace'),
  name,
  description: z.string().nullish(),
  tools: z.array(callableTool).max(512),
})
/** A search for further tools that the client itself makes; any other is a hosted tool. */
const searchTool = z.looseObject({
  type: z.literal('tool_search'),
  execution: z.literal('client'),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
})
/** `web_search`, `mcp` and all other types: the platform itself runs them, at a cost that no price list knows. */
const hostedTool = z.object({ type: z.literal('hosted'), name: z.string() })

const CALLABLE_TYPES = new Set(['function', 'custom', 'namespace'])

/** Makes every tool that is not the client's own a hosted one, unknown ones included. */
function withHostedType(tool: unknown): unknown {
  if (typeof tool !== 'object' || tool === null || !('type' in tool)) return tool
  const { type } = tool
  if (type === 'tool_search' && 'execution' in tool && tool.execution === 'client') return tool
  return typeof type === 'string' && /^\w{1,64}$/.test(type) && !CALLABLE_TYPES.has(type)
    ? { type: 'hosted', name: type }
    : tool
}

export const responseTool = z.preprocess(
  withHostedType,
  z.discriminatedUnion('type', [functionTool, customTool, namespaceTool, searchTool, hostedTool]),
)
export type ResponseTool = z.output<typeof responseTool>
export type CallableResponseTool = z.output<typeof callableTool>
export type SearchResponseTool = z.output<typeof searchTool>

type FunctionObject = {
  type: 'function'
  name: string
  description: string | null
  parameters: Record<string, unknown> | null
  strict: boolean | null
}
type CustomObject = {
  type: 'custom'
  name: string
  description?: string
  format?: NonNullable<z.output<typeof customTool>['format']>
}
export type CallableToolObject = FunctionObject | CustomObject
/** A tool as a response repeats it. */
export type ResponseObjectTool =
  | CallableToolObject
  | { type: 'namespace'; name: string; description: string; tools: CallableToolObject[] }
  | {
      type: 'tool_search'
      execution: 'client'
      description: string | null
      parameters: Record<string, unknown> | null
    }

export const responseToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.enum(['function', 'custom']), name, namespace: name.nullish() }),
  z.looseObject({
    type: z.literal('allowed_tools'),
    mode: z.enum(['auto', 'required']),
    tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).max(512),
  }),
  z.looseObject({ type: z.string().regex(/^(?!(function|custom|allowed_tools)$)\w{1,64}$/) }),
])
export type ResponseToolChoice = z.output<typeof responseToolChoice>
/** A choice as a response repeats it. */
export type ResponseObjectToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { type: 'function'; name: string }
  | { type: 'custom'; name: string }
  | { type: 'allowed_tools'; mode: 'auto' | 'required'; tools: Record<string, unknown>[] }
