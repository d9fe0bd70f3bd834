import { z } from 'zod'
import { callArguments, callId, text, typeField } from './request-fields.ts'

// Messages in OpenAI's API (https://platform.openai.com/docs/api-reference/chat), as far as the gateway reads them.

/** For platforms that bill cache writes; OpenAI's own clients do not send it. */
const cacheControl = z.looseObject({ type: typeField('ephemeral') }).nullish()
const textPart = z.looseObject({
  type: typeField('text'),
  text,
  cache_control: cacheControl.describe('缓存的设置'),
})
const imagePart = z.looseObject({
  type: typeField('image_url'),
  image_url: z
    .looseObject({
      detail: z.string().nullish().describe('图片的精细程度'),
      url: z
        .string()
        .regex(/^(https?:\/\/|data:image\/[\w.+-]+;base64,)/)
        .describe('图片的地址：网址，或 data: 开头的内容'),
    })
    .describe('图片'),
})
export const NO_FILE_ID_MESSAGE = '不支持已上传的文件（file_id），请用 file_data 附上文件的内容'
export const audioPart = z.looseObject({
  type: typeField('input_audio'),
  input_audio: z
    .looseObject({
      data: z.string().min(1).describe('音频的内容，Base64'),
      format: z
        .string()
        .regex(/^[\w-]{1,20}$/)
        .describe('音频的格式，如 wav、mp3'),
    })
    .describe('音频'),
})
const filePart = z.looseObject({
  type: typeField('file'),
  file: z
    .looseObject({
      filename: z.string().max(255).nullish().describe('文件名'),
      file_data: z.string(NO_FILE_ID_MESSAGE).min(1).describe('文件的内容，Base64'),
    })
    .describe('文件'),
})
const refusalPart = z.looseObject({
  type: typeField('refusal'),
  refusal: z.string().describe('拒绝回答的说明'),
})
/** Some programs send null for an empty text. */
const texts = z
  .union([z.string(), z.array(textPart)])
  .nullable()
  .describe('消息的内容')

const functionCall = z.looseObject({
  id: z.string().describe('工具调用的编号'),
  type: z.literal('function').default('function').describe('类型'),
  function: z
    .looseObject({ name: z.string().describe('函数的名称'), arguments: callArguments })
    .describe('调用的函数'),
})
const customCall = z.looseObject({
  id: z.string().describe('工具调用的编号'),
  type: typeField('custom'),
  custom: z
    .looseObject({ name: z.string().describe('工具的名称'), input: z.string().describe('交给工具的文字') })
    .describe('以一段文字调用的工具'),
})
const toolCall = z.union([customCall, functionCall])

/** The model's reasoning, under each platform's name for it. */
const thoughtFields = {
  reasoning_content: z.string().nullish().describe('模型之前的思考'),
  reasoning: z.string().nullish().describe('模型之前的思考'),
  reasoning_details: z
    .array(
      z.looseObject({
        type: z.string().nullish().describe('类型'),
        text: z.string().nullish().describe('思考的文字'),
        summary: z.string().nullish().describe('思考的摘要'),
        data: z.string().nullish().describe('加密的思考'),
        signature: z.string().nullish().describe('思考的签名'),
      }),
    )
    .nullish()
    .describe('模型之前的思考，按段'),
}

export const completionMessage = z.discriminatedUnion('role', [
  z.looseObject({
    role: z.enum(['system', 'developer']).describe('消息的角色'),
    content: texts,
  }),
  z.looseObject({
    role: z.literal('user').describe('消息的角色'),
    content: z
      .union([z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart, audioPart, filePart]))])
      .nullable()
      .describe('消息的内容'),
  }),
  z.looseObject({
    role: z.literal('assistant').describe('消息的角色'),
    content: z
      .union([z.string(), z.array(z.discriminatedUnion('type', [textPart, refusalPart]))])
      .nullish()
      .describe('消息的内容'),
    ...thoughtFields,
    tool_calls: z.array(toolCall).nullish().describe('模型要调用的工具'),
    function_call: functionCall.shape.function.nullish().describe('模型要调用的函数（旧写法）'),
  }),
  z.looseObject({
    role: z.literal('tool').describe('消息的角色'),
    content: texts,
    tool_call_id: callId,
  }),
  z.looseObject({
    role: z.literal('function').describe('消息的角色'),
    content: texts,
    name: z.string().describe('函数的名称'),
  }),
])
export type ChatCompletionMessage = z.output<typeof completionMessage>
