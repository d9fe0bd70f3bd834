import { z } from 'zod'
import {
  answerSchema,
  background,
  messages,
  parameters,
  reasoningEfforts,
  rememberedSession,
  routingFields,
  stream,
  strict,
  temperature,
  toolDescription,
  topLogprobs,
  topP,
  typeField,
} from './request-fields.ts'
import { modelId } from '#contract/ids/ids.ts'
import { completionMessage } from './completion-messages.ts'
import { withNestedChoice, withNestedTools } from './other-shapes.ts'

// Requests of OpenAI's API (https://platform.openai.com/docs/api-reference/chat), as far as the gateway reads them. A
// platform gets only those other fields that its documentation has: src/server/llm/forwarded-fields.ts.

/** JSON's numbers lose digits beyond 2^53: a larger seed would come out as another one. */
const SEED_MESSAGE = '须为 -2^53 到 2^53 之间的整数'
/** Most answers of one call: each is held at its full length. */
const MAX_CHOICES = 16
/** Names the schema of an answer. */
const name = z.string().regex(/^[\w.-]{1,64}$/)
/** Names of the Model Context Protocol have dots, slashes and more: platforms get names that they take. */
export const toolName = z.string().regex(/^\P{C}{1,256}$/u)
const tokens = z.int().min(1).max(100_000_000).describe('最长的输出，Token 数')

/** A function that a model may call. */
const functionDefinition = z.looseObject({
  name: toolName.describe('函数的名称'),
  description: toolDescription,
  parameters,
  strict,
})

/** Called with one free text. A grammar for it is a request to the model, no promise. */
const customDefinition = z.looseObject({
  name: toolName.describe('工具的名称'),
  description: toolDescription,
  format: z
    .union([
      z.looseObject({ type: typeField('text') }),
      z.looseObject({
        type: typeField('grammar'),
        grammar: z
          .looseObject({
            syntax: z.string().describe('语法的种类：lark 或 regex'),
            definition: z.string().describe('语法的定义'),
          })
          .describe('文字应符合的语法'),
      }),
      z.looseObject({
        type: typeField('grammar'),
        syntax: z.string().describe('语法的种类：lark 或 regex'),
        definition: z.string().describe('语法的定义'),
      }),
    ])
    .nullish()
    .describe('文字的格式'),
})

const NO_SOUND_MESSAGE = '模型只能回答文字或图片（text、image）'

export const chatCompletionRequest = z.looseObject({
  model: modelId,
  messages: messages(completionMessage),
  stream,
  stream_options: z
    .looseObject({ include_usage: z.boolean().nullish().describe('是否在最后返回用量') })
    .nullish()
    .describe('流式返回的选项'),
  max_tokens: tokens.nullish(),
  max_completion_tokens: tokens.nullish(),
  temperature,
  top_p: topP,
  /** An extension of servers that follow OpenAI's API. */
  top_k: z.int().min(0).nullish().describe('采样时考虑的候选数'),
  stop: z
    .union([z.string(), z.array(z.string()).max(16)])
    .nullish()
    .describe('遇到即停止的文字'),
  seed: z.int(SEED_MESSAGE).nullish().describe('随机种子'),
  n: z.int().min(1).max(MAX_CHOICES).nullish().describe('回答的个数'),
  logprobs: z.boolean().nullish().describe('是否返回对数概率'),
  top_logprobs: topLogprobs,
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish().describe('对指定 Token 的偏好'),
  tools: z
    .preprocess(
      withNestedTools,
      z
        .array(
          z.discriminatedUnion('type', [
            z.looseObject({
              type: typeField('function'),
              function: functionDefinition.describe('函数'),
            }),
            z.looseObject({
              type: typeField('custom'),
              custom: customDefinition.describe('以一段文字调用的工具'),
            }),
          ]),
        )
        .max(512)
        .nullish(),
    )
    .describe('可以调用的工具'),
  tool_choice: z
    .preprocess(
      withNestedChoice,
      z
        .union([
          z.enum(['none', 'auto', 'required']),
          z.looseObject({
            type: typeField('function'),
            function: z.looseObject({ name: toolName.describe('函数的名称') }).describe('要调用的函数'),
          }),
          z.looseObject({
            type: typeField('custom'),
            custom: z.looseObject({ name: toolName.describe('工具的名称') }).describe('以一段文字调用的工具'),
          }),
        ])
        .nullish(),
    )
    .describe('怎样选择工具'),
  /** The kinds of content that the answer may have. */
  modalities: z
    .array(z.enum(['text', 'image'], NO_SOUND_MESSAGE))
    .max(2)
    .nullish()
    .describe('回答可以有什么：文字（text）、图片（image）'),
  /** Tools as they were before 2024, with their choice. Requests with them are answered with a `function_call`. */
  functions: z.array(functionDefinition).max(512).nullish().describe('可以调用的函数（旧写法）'),
  function_call: z
    .union([z.enum(['none', 'auto']), z.looseObject({ name: toolName.describe('函数的名称') })])
    .nullish()
    .describe('指定调用的函数（旧写法）'),
  response_format: z
    .discriminatedUnion('type', [
      z.looseObject({ type: typeField('text') }),
      z.looseObject({ type: typeField('json_object') }),
      z.looseObject({
        type: typeField('json_schema'),
        json_schema: z
          .looseObject({
            name: name.describe('输出的名称'),
            schema: answerSchema,
            description: z.string().nullish().describe('说明：输出用来做什么'),
            strict,
          })
          .describe('输出的 JSON Schema 与名称'),
      }),
    ])
    .nullish()
    .describe('输出的格式'),
  reasoning_effort: z.enum(reasoningEfforts).nullish().describe('思考的强度'),
  /** Ours: a short form of `response_format: {"type": "json_object"}`. */
  json_mode: z.boolean().nullish().describe('是否只输出 JSON'),
  /** Ours: a search of the web before the answer. The gateway has none: true is refused. */
  enable_search: z.boolean().nullish().describe('是否联网搜索：接口不提供，只能是 false'),
  ...routingFields,
  sess_id: rememberedSession,
  /** Ours: answered at once, with status `pending`; `GET /chat/{id}` has the rest. */
  background,
})
export type ChatCompletionRequest = z.output<typeof chatCompletionRequest>

const ONE_PROMPT_MESSAGE = '一次只能补全一段文字，不支持 Token 数组'
const unwrapSingle = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
const USE_CHAT_MESSAGE = '不支持，请改用 /chat/completions'

/**
 * The request of a legacy text completion (https://platform.openai.com/docs/api-reference/completions). The prompt becomes a
 * message to a chat model; anything beyond its abilities is refused.
 */
export const textCompletionRequest = z.looseObject({
  ...chatCompletionRequest.pick({
    model: true,
    stream: true,
    stream_options: true,
    max_tokens: true,
    temperature: true,
    top_p: true,
    stop: true,
    seed: true,
    n: true,
    enable_search: true,
    retries: true,
    provider_sort: true,
  }).shape,
  prompt: z.preprocess(unwrapSingle, z.string(ONE_PROMPT_MESSAGE)).describe('要补全的文字'),
  echo: z.literal(false, USE_CHAT_MESSAGE).nullish().describe('是否在输出里重复问题：不支持，只能是 false'),
  suffix: z.literal('', USE_CHAT_MESSAGE).nullish().describe('输出之后的文字：不支持，只能为空'),
  best_of: z.literal(1, USE_CHAT_MESSAGE).nullish().describe('生成几个取最好的一个：只能是 1'),
  logprobs: z.null(USE_CHAT_MESSAGE).optional().describe('对数概率：不支持，只能为空'),
})
export type TextCompletionRequest = z.output<typeof textCompletionRequest>
