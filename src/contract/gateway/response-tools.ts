import { z } from 'zod'
import { parameters, strict, toolDescription, typeField } from './request-fields.ts'
import { toolName as name } from './chat-completions.ts'

// The tools of OpenAI's Responses API (https://platform.openai.com/docs/api-reference/responses/create#responses-create-tools).

const functionTool = z.looseObject({
  type: typeField('function'),
  name: name.describe('函数的名称'),
  description: toolDescription,
  parameters,
  strict,
})
/** Called with one free text. A grammar for it is a request to the model, no promise. */
const customTool = z.looseObject({
  type: typeField('custom'),
  name: name.describe('工具的名称'),
  description: toolDescription,
  format: z
    .discriminatedUnion('type', [
      z.object({ type: typeField('text') }),
      z.object({
        type: typeField('grammar'),
        syntax: z.enum(['lark', 'regex']).describe('语法的种类：lark 或 regex'),
        definition: z.string().describe('语法的定义'),
      }),
    ])
    .nullish()
    .describe('文字的格式'),
})
const callableTool = z.discriminatedUnion('type', [functionTool, customTool])
const namespaceTool = z.looseObject({
  type: typeField('namespace'),
  name: name.describe('命名空间的名称'),
  description: toolDescription,
  tools: z.array(callableTool).max(512).describe('命名空间里的工具'),
})
/** A search for further tools that the client itself makes; any other is a hosted tool. */
const searchTool = z.looseObject({
  type: typeField('tool_search'),
  execution: z.literal('client').describe('由谁查找工具：client 为程序自己'),
  description: toolDescription,
  parameters,
})
/** `web_search`, `mcp` and all other types: the platform itself runs them, at a cost that no price list knows. */
const hostedTool = z.object({
  type: typeField('hosted'),
  name: z.string().describe('由平台运行的工具的名称'),
})

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
  z.looseObject({
    type: z.enum(['function', 'custom']).describe('类型'),
    name: name.describe('工具的名称'),
    namespace: name.nullish().describe('工具所属的命名空间'),
  }),
  z.looseObject({
    type: typeField('allowed_tools'),
    mode: z.enum(['auto', 'required']).describe('auto 由模型决定、required 必须调用'),
    tools: z
      .array(
        z.looseObject({
          type: z.string().describe('类型'),
          name: z.string().optional().describe('工具的名称'),
        }),
      )
      .max(512)
      .describe('可以选择的工具'),
  }),
  z.looseObject({
    type: z
      .string()
      .regex(/^(?!(function|custom|allowed_tools)$)\w{1,64}$/)
      .describe('类型'),
  }),
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
