import { z } from 'zod'
import { callId, text, typeField } from './request-fields.ts'

// Messages in Anthropic's API (https://platform.claude.com/docs/en/api/messages), as far as the gateway reads them.

export const cacheControl = z
  .object({
    type: typeField('ephemeral'),
    ttl: z.enum(['5m', '1h']).optional().describe('缓存保留的时间'),
  })
  .nullish()
  .describe('缓存的设置')
const textBlock = z.looseObject({
  type: typeField('text'),
  text,
  cache_control: cacheControl,
})
const imageBlock = z.looseObject({
  type: typeField('image'),
  source: z
    .discriminatedUnion('type', [
      z.object({
        type: typeField('base64'),
        media_type: z
          .string()
          .regex(/^image\/[\w.+-]+$/)
          .describe('媒体类型（MIME）'),
        data: z.string().min(1).describe('图片的内容，Base64'),
      }),
      z.object({
        type: typeField('url'),
        url: z
          .string()
          .regex(/^https?:\/\//)
          .describe('图片的地址'),
      }),
    ])
    .describe('图片的来源'),
  cache_control: cacheControl,
})
const documentBlock = z.looseObject({
  type: typeField('document'),
  source: z
    .discriminatedUnion('type', [
      z.object({
        type: typeField('base64'),
        media_type: z.literal('application/pdf').describe('媒体类型（MIME）'),
        data: z.string().min(1).describe('文档的内容，Base64'),
      }),
      z.object({
        type: typeField('text'),
        media_type: z.literal('text/plain').describe('媒体类型（MIME）'),
        data: z.string().describe('文档的文字'),
      }),
      z.object({
        type: typeField('content'),
        content: z
          .union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock]))])
          .describe('文档的内容'),
      }),
      z.object({
        type: typeField('url'),
        url: z
          .string()
          .regex(/^https?:\/\//)
          .describe('文档的地址'),
      }),
    ])
    .describe('文档的来源'),
  title: z.string().nullish().describe('文档的标题'),
  cache_control: cacheControl,
})
const toolUseBlock = z.looseObject({
  type: typeField('tool_use'),
  id: z.string().describe('工具调用的编号'),
  name: z.string().describe('工具的名称'),
  input: z.record(z.string(), z.unknown()).describe('工具的参数'),
  cache_control: cacheControl,
})
/** A tool that a tool search found: its client declares it. */
const toolReferenceBlock = z.looseObject({
  type: typeField('tool_reference'),
  tool_name: z.string().describe('找到的工具的名称'),
})
const searchResultBlock = z.looseObject({
  type: typeField('search_result'),
  source: z.string().describe('搜索结果的来源'),
  title: z.string().describe('搜索结果的标题'),
  content: z.array(textBlock).describe('搜索结果的内容'),
  cache_control: cacheControl,
})
const toolResultBlock = z.looseObject({
  type: typeField('tool_result'),
  tool_use_id: callId,
  content: z
    .union([
      z.string(),
      z.array(
        z.discriminatedUnion('type', [
          textBlock,
          imageBlock,
          documentBlock,
          toolReferenceBlock,
          searchResultBlock,
        ]),
      ),
    ])
    .nullish()
    .describe('工具的结果'),
  is_error: z.boolean().nullish().describe('工具是否出错'),
  cache_control: cacheControl,
})
const thinkingBlock = z.looseObject({
  type: typeField('thinking'),
  thinking: z.string().describe('思考的文字'),
  signature: z.string().default('').describe('思考的签名'),
})
const redactedBlock = z.looseObject({
  type: typeField('redacted_thinking'),
  data: z.string().describe('加密的思考，原样传回'),
})
/** Blocks of tools that a platform itself ran: accepted and left out, since the text after them has the results. */
export const UNREAD_BLOCKS = [
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
  'container_upload',
  'compaction',
] as const
const unreadBlock = z.looseObject({ type: z.enum(UNREAD_BLOCKS).describe('类型') })

export const texts = z.union([z.string(), z.array(textBlock)])
export const message = z.discriminatedUnion('role', [
  z.looseObject({
    role: z.literal('user').describe('消息的角色'),
    content: z
      .union([
        z.string(),
        z.array(
          z.discriminatedUnion('type', [
            textBlock,
            imageBlock,
            documentBlock,
            searchResultBlock,
            toolResultBlock,
            unreadBlock,
          ]),
        ),
      ])
      .describe('消息的内容'),
  }),
  z.looseObject({
    role: z.literal('assistant').describe('消息的角色'),
    content: z
      .union([
        z.string(),
        z.array(
          z.discriminatedUnion('type', [textBlock, thinkingBlock, redactedBlock, toolUseBlock, unreadBlock]),
        ),
      ])
      .describe('消息的内容'),
  }),
  z.looseObject({
    role: z.literal('system').describe('消息的角色'),
    content: texts.describe('消息的内容'),
  }),
])
export type MessageInput = z.output<typeof message>
export type MessageInputBlock = Exclude<MessageInput['content'], string>[number]
