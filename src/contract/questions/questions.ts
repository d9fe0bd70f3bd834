import { z } from 'zod'
import { BLOCK, COMPARE, DATI, FANYI, channelChatbot, ZHIKU } from '#contract/chatbot.ts'
import { MAX_COMPARED_MODELS } from '#contract/compare-limits.ts'
import { modelId, sessionId, turnId } from '#contract/ids/ids.ts'

// The body of POST /api/chat/create: each channel has a list of fields of its own, made of the parts that it shares with others.

export const MAX_PROMPT_CHARS = 200_000
/** Longest tone of a translation, as described in words, characters. */
export const MAX_TONE_CHARS = 200
/** Most documents of one question. */
export const MAX_BLOCKS_PER_QUESTION = 10

const model = modelId.nullish()
const models = z.array(modelId).min(1).max(MAX_COMPARED_MODELS).nullish().describe('并排回答的模型')
const continues = z.boolean().default(false)
/** Marks a field that a channel knows only in order to refuse or ignore it. The reference leaves it out. */
const unlisted = { unlisted: true } as const

/** The words of a question, and its place in the conversation. */
const turnFields = {
  /** Session of this chatbot to ask in; by default that of the turn `chat_id`, else the current one, else a new one. */
  sess_id: sessionId.nullish(),
  /** The turn that this one follows; with `regen`, the turn to answer again (the last one when absent). */
  chat_id: turnId.nullish().describe('接在哪一轮之后；regen、edit、continue 则为操作的那一轮'),
  prompt: z.string().max(MAX_PROMPT_CHARS).default('').describe('问题'),
  tools: z.array(z.string().min(1).max(40)).max(8).nullish().describe('使用的工具，如 web_search'),
  stream: z.boolean().nullish().describe('是否流式返回；没有时按会话设置'),
  regen: z.boolean().default(false).describe('是否重新回答 chat_id 的那一轮'),
  /** `prompt` replaces the question of the turn `chat_id`; the old question stays as a version of it. */
  edit: z.boolean().default(false).describe('是否用 prompt 替换 chat_id 那一轮的问题'),
  quick_action: z
    .string()
    .regex(/^[a-z][a-z_]{0,39}$/)
    .nullish()
    .describe('快捷操作，如 explain'),
  related_prompts: z.boolean().default(false).describe('是否要可以接着问的问题'),
}

/** The documents that a question is about, and its recording where it was spoken. */
const documentFields = {
  /**
   * Documents of the question: ids of blocks, separated by commas. They stay for later questions, until one names others. For a
   * spoken question (`content_type` audio) the first is its recording.
   */
  block: z
    .string()
    .max((MAX_BLOCKS_PER_QUESTION + 1) * 37)
    .nullish()
    .describe('引用的文档的编号，用逗号分隔；语音提问的第一个是录音'),
  content_type: z.enum(['text', 'audio']).default('text').describe('内容的类型：text 或 audio'),
}

/** A single answer, which can be continued. A question to several models is refused (bad_request), not answered by one of them. */
const singleAnswerFields = {
  /** Continues the answer of the turn `chat_id` (the last one when absent) where it ended. */
  continue: continues.describe('是否接着写 chat_id 那一轮的回答'),
  models: models.meta(unlisted),
}

const generalQuestion = z
  .object({
    chatbot: channelChatbot(DATI).default(DATI),
    ...turnFields,
    ...documentFields,
    ...singleAnswerFields,
    model,
  })
  .meta({ title: '通用助手（dati）' })

const agentQuestion = z
  .object({
    chatbot: channelChatbot(ZHIKU),
    ...turnFields,
    ...documentFields,
    ...singleAnswerFields,
    /** Ignored, since an agent answers by its own model; refused (bad_request) from a visitor of its widget. */
    model: model.meta(unlisted),
  })
  .meta({ title: '智能体（zhiku-编号）' })

const documentQuestion = z
  .object({
    chatbot: channelChatbot(BLOCK),
    ...turnFields,
    ...documentFields,
    ...singleAnswerFields,
    model,
  })
  .meta({ title: '文档（block-编号）' })

export const comparisonQuestion = z
  .object({
    chatbot: channelChatbot(COMPARE),
    ...turnFields,
    ...documentFields,
    /**
     * Models that answer side by side; by default those of the comparison. With `regen` these alone answer again, or for the
     * first time where they had not been asked.
     */
    models: models.describe('并排回答的模型，没有时为对比的各列'),
    model: model.describe('只由这个模型回答，同 models 里只有它'),
    /** Refused (not_continuable). */
    continue: continues.meta(unlisted),
  })
  .meta({ title: '对比（compare 或 compare-编号）' })

const translationQuestion = z
  .object({
    chatbot: channelChatbot(FANYI),
    ...turnFields,
    ...singleAnswerFields,
    model,
    target_lang: z.string().min(1).max(20).nullish().describe('翻译的目标语言'),
    tone: z.string().trim().max(MAX_TONE_CHARS).nullish().describe('翻译的语气'),
    fresh: z.boolean().nullish().describe('是否不用翻译记忆里的译文'),
  })
  .meta({ title: '翻译（fanyi）' })

/** A question in any channel: `chatbot` alone decides which list of fields is read. */
export const question = z.xor([
  generalQuestion,
  agentQuestion,
  documentQuestion,
  comparisonQuestion,
  translationQuestion,
])

export type GeneralQuestion = z.output<typeof generalQuestion>
export type AgentQuestion = z.output<typeof agentQuestion>
export type DocumentQuestion = z.output<typeof documentQuestion>
export type ComparisonQuestion = z.output<typeof comparisonQuestion>
export type TranslationQuestion = z.output<typeof translationQuestion>

/** Questions as a client sends them. */
export type GeneralQuestionBody = z.input<typeof generalQuestion>
export type ComparisonQuestionBody = z.input<typeof comparisonQuestion>
