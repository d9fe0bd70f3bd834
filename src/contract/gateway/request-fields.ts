import { z } from 'zod'
import { providerSorts } from '#contract/users.ts'

// Fields that several protocols of the gateway have.

/** The type by which the protocols tell apart contents, tools and items. */
export const typeField = <const T extends string>(type: T) => z.literal(type).describe('类型')

export const text = z.string().describe('文字')
export const messages = <T extends z.ZodType>(message: T) =>
  z.array(message).min(1).max(10_000).describe('消息列表，从早到晚')
export const stream = z.boolean().nullish().describe('是否流式返回')
export const temperature = z.number().min(0).max(2).nullish().describe('随机程度，0 到 2')
export const topP = z.number().min(0).max(1).nullish().describe('核采样的概率')
export const topLogprobs = z.int().min(0).max(20).nullish().describe('每个位置返回几个候选')
/** Answered at once; another call has the rest. */
export const background = z.boolean().nullish().describe('是否在后台回答：立即返回编号，结果另行取回')
/** The name of a conversation that is remembered for the key; `messages` are its new part. */
export const rememberedSession = z
  .string()
  .regex(/^\P{C}{1,128}$/u)
  .nullish()
  .describe('由程序起名的会话，网关记住其中的问答')

export const callId = z.string().describe('工具调用的编号')
export const callArguments = z.string().describe('参数，JSON 文本')
export const toolDescription = z.string().nullish().describe('说明：工具做什么、何时使用')
export const parameters = z.record(z.string(), z.unknown()).nullish().describe('参数的 JSON Schema')
export const answerSchema = z.record(z.string(), z.unknown()).describe('输出的 JSON Schema')
export const strict = z.boolean().nullish().describe('是否严格遵守 JSON Schema')
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export const routingFields = {
  /** Ours (reference-product, "Gateway"): number of further tries at platforms that failed. */
  retries: z.int().min(0).max(10).nullish().describe('失败过的平台还可以再问几次，0 到 10'),
  /** Ours: overrides the key's setting. */
  provider_sort: z.enum(providerSorts).nullish().describe('平台排序方式，代替密钥的设置'),
}
