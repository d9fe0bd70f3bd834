import { z } from 'zod'
import { DEFAULT_AGENT_MODEL, agentCategories, MAX_EMBEDS, PUBLIC } from './agent-defaults.ts'
import { md5, piecePlace } from '../blocks.ts'
import { moment } from '#contract/dates/dates.ts'
import { chatSettings } from './chat-settings.ts'
import { visible, writtenVisible } from './visible.ts'
import type { Calls } from '../call.ts'
import { BLOCK, COMPARE, DATI, FANYI, ZHIKU } from '../chatbot.ts'
import { feedbackReasons } from '../chat.ts'
import { pictureErrors, pictureUrl } from '../files.ts'
import { filterWord, paginated, pageSize } from '../paging.ts'

const AGENTS_SIZE = 10

/**
 * State of an agent: 0 without sources, 1 while sources are read or indexed, 2 when all are ready, 3 when one of them failed.
 * State of a source: 0 waits, 1 is being read or indexed, 2 is ready, 3 failed.
 */
const status = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
const name = z.string().trim().max(50)
const desc = z.string().trim().max(500)
const model = z.string().min(1).max(120)
const category = z
  .int()
  .refine((id) => id === 0 || agentCategories.some((one) => one.id === id))
  .meta({ minimum: 0, maximum: agentCategories.length })

/** A file or link that an agent answers from: a block and the progress of its reading and indexing. */
const agentEmbed = z.object({
  /** Id of its block. */
  id: z.uuid(),
  name: z.string(),
  type: z.string(),
  /** Bytes. */
  size: z.int(),
  /** A web page's address; null for a file. */
  link: z.string().nullable(),
  status,
  /** Rounded percent of reading and indexing together. */
  percent: z.int(),
  /** Chinese reason of status 3. */
  error: z.string().nullable(),
  /** Passages in the index. */
  chunks: z.int().describe('片段数'),
})
export type AgentEmbed = z.output<typeof agentEmbed>

/** The part of an agent that everybody who may use it sees. */
const agentCard = z.object({
  uuid: z.uuid(),
  name: z.string(),
  /** Empty: none. */
  logo: z.string(),
  desc: z.string(),
  model: z.string(),
  chat_level: z.int(),
  interneted: z.boolean(),
  refer_source: z.boolean(),
  related_prompts: z.boolean().describe('是否给出相关的问题'),
  stream: z.boolean(),
  visible,
  public: z.boolean(),
  category_id: z.int(),
  store_mode: z.literal('kb'),
  status,
  settings: z.object({
    chat: z.object({
      /** Never empty: the default greeting where its owner wrote none. */
      welcome_prompt: z.string(),
      suggest_prompts: z.array(z.string()),
    }),
  }),
  /** The caller owns it. */
  owned: z.boolean(),
  owner: z.object({ name: z.string(), avatar: z.string() }),
  /** Questions that others asked it. */
  uses: z.int(),
  updated_at: moment,
})
export type AgentCard = z.output<typeof agentCard>

/** An agent as its owner has it. */
const agent = agentCard.extend({
  settings: z.object({
    chat: z.object({
      /** As the owner wrote them; the default takes the place of an empty one (agent-defaults.ts). */
      system_prompt: z.string(),
      welcome_prompt: z.string(),
      suggest_prompts: z.array(z.string()),
    }),
  }),
  embeds: z.array(agentEmbed),
  /** Rises with each change that is saved. */
  version: z.int(),
  /** The agent that an unsaved draft changes; null for the draft of a new agent, absent for anything but a draft. */
  draft_of: z.uuid().nullable().optional(),
})
export type Agent = z.output<typeof agent>

/** The whole form (specification section 3). Its transient flags (`uploading`, `embedding` …) are ignored. */
export const agentForm = z.object({
  name: name.min(1),
  logo: pictureUrl.default(''),
  desc: desc.default(''),
  /** An existing chat model, or the agent's present one, even if it is gone: the default model answers meanwhile. */
  model: model.default(DEFAULT_AGENT_MODEL),
  /** 1: may add the model's own knowledge, and says so; 2: answers from its sources alone. */
  chat_level: z.int().min(1).max(2).default(2),
  interneted: z.boolean().default(false),
  /** Readers see the passages that an answer rests on. The owner always does. */
  refer_source: z.boolean().default(false),
  related_prompts: z.boolean().default(false).describe('是否给出相关的问题'),
  stream: z.boolean().default(true),
  /** 0 when both this and `public` are absent. */
  visible: writtenVisible.nullish(),
  /** True means that `visible` is 2; where the two contradict each other, the one that was changed counts. */
  public: z.boolean().nullish(),
  category_id: category.default(0),
  store_mode: z.literal('kb').default('kb'),
  /** The owner's blocks of the channel `zhiku`, in order: each by id, whole, or as the record of its upload. */
  embeds: z
    .array(z.union([z.uuid(), z.object({ id: z.uuid() }), z.object({ md5 })]))
    .max(MAX_EMBEDS)
    .default([]),
  settings: z
    .object({ chat: chatSettings.default(chatSettings.parse({})) })
    .default({ chat: chatSettings.parse({}) }),
  /** The draft that this form was; saving uses it up. */
  draft: z.uuid().nullish().describe('由哪一个草稿保存而来'),
})
export type AgentForm = z.input<typeof agentForm>

/** A self-test of an agent: are the passages that questions were made from found, and do answers rest on them? */
const agentEvaluation = z.object({
  id: z.uuid(),
  /** Version of the agent when the test began. */
  version: z.int(),
  /** 1 under way, 2 done, 3 failed or stopped. */
  status: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /** Chinese reason of status 3. */
  error: z.string().nullable(),
  /** Questions tried so far, and questions in all. */
  done: z.int(),
  total: z.int(),
  /** Share of the questions whose passage came first, and was among the first five; null before the first question. */
  hit_1: z.number().nullable(),
  hit_5: z.number().nullable(),
  /** Share of the sentences in the trial answers that the sources support; null without any sentence. */
  groundedness: z.number().nullable(),
  /** Questions put to the agent, and those it answered, that is, without failing or refusing. */
  asked: z.int(),
  answered: z.int(),
  /** Questions whose passage was not among the first five. */
  missed: z.array(z.object({ question: z.string(), block: z.uuid(), chunk: z.int(), name: z.string() })),
  /**
   * The trial answers: number of sentences, sentences without support in the sources, and passages given. Filled only for the
   * latest self-test that has ended.
   */
  answers: z.array(
    z.object({
      question: z.string(),
      sentences: z.int().describe('回答的句数'),
      unsupported: z.array(z.string()),
      passages: z.array(
        z.object({
          n: z.int(),
          title: z.string(),
          block: z.uuid(),
          chunk: z.int(),
          hash: z.string().optional(),
        }),
      ),
    }),
  ),
  /** Coins. */
  cost: z.number(),
  created_at: moment,
})
export type AgentEvaluation = z.output<typeof agentEvaluation>

/** A passage of a source, for readers to check. */
const agentPassage = z.object({
  block: z.uuid(),
  chunk: z.int(),
  name: z.string(),
  place: piecePlace,
  text: z.string(),
  /** The document was read again after the citation and lacks this text now. */
  outdated: z.boolean(),
  /** The document itself, at the passage; null for all but its owner, and where it is outdated. */
  url: z.string().nullable(),
})
export type AgentPassage = z.output<typeof agentPassage>

const params = z.object({ id: z.uuid() })
const generation = z.object({ name: name.min(1), desc: desc.default(''), model: model.nullish() })
const progress = z.object({ status, embeds: z.array(agentEmbed) })
const savedAgent = z.object({ uuid: z.uuid() })

const ratingCounts = z.object({ up: z.int(), down: z.int() })
/** Readers' ratings of an agent's answers as numbers alone: no names and no parts of conversations. */
const feedbackCounts = z.object({
  all: ratingCounts,
  /** Ratings of answers of the last 30 days. */
  recent: ratingCounts,
  /** Number of times that each reason was given for a 踩; one answer may have several. */
  reasons: z.record(z.enum(feedbackReasons), z.int()),
})
export type FeedbackCounts = z.output<typeof feedbackCounts>

export const agentCalls = {
  'GET /api/agents': {
    summary: '智能体：自己的在前，然后是所在组织的，再是公开的；或按热度排列的公开智能体',
    auth: 'guest',
    query: z.object({
      tab: filterWord(['default', 'popular']).default('default'),
      /** Every word of it occurs in the name or the description. */
      q: z.string().trim().max(100).default(''),
      category_id: z.int().min(0).max(1_000_000).optional(),
      offset: z.int().min(0).max(1_000_000).default(0),
      size: pageSize(AGENTS_SIZE),
    }),
    response: paginated(agentCard),
  },
  'GET /api/agents/history': {
    summary: '最近用过的智能体，新的在前',
    auth: 'user',
    response: z.object({ items: z.array(agentCard) }),
  },
  'GET /api/agents/popular': {
    summary: '热门的公开智能体',
    auth: 'guest',
    response: z.object({ items: z.array(agentCard) }),
  },
  // These come before GET /api/agent/{id} and GET /api/block/{id}, which would take `categories` for an id.
  'GET /api/{agent}/categories': {
    summary: '一个频道的分类：智能体（agent 或 zhiku）有分类，其他频道没有，返回空的列表',
    auth: 'guest',
    params: z.object({ agent: z.enum(['agent', ZHIKU, DATI, BLOCK, COMPARE, FANYI]) }),
    response: z.object({ categories: z.array(z.object({ id: z.int(), name: z.string() })) }),
    errors: ['not_found'],
  },
  'GET /api/agent/{id}': {
    summary: '一个智能体；自己的带有全部设置和来源',
    auth: 'guest',
    params,
    response: z.object({ data: z.union([agent, agentCard]) }),
    errors: ['agent_not_found'],
  },
  'POST /api/agent/draft': {
    summary: '还没有保存的智能体：新建的，或正在修改的；已有的草稿直接返回',
    auth: 'user',
    body: z.object({ agent: z.uuid().nullish() }),
    response: z.object({ data: agent }),
    errors: ['agent_not_found', 'rate_limited'],
  },
  'POST /api/agent/system_prompt': {
    summary: '按名称和介绍写一份系统提示词；没有可用的模型时是默认的模板',
    auth: 'user',
    body: generation,
    response: z.object({ message: z.string() }),
    errors: ['insufficient_balance', 'model_unavailable', 'rate_limited'],
  },
  'POST /api/agent/sample_prompts': {
    summary: '按名称和介绍写欢迎语和建议问题；message 是 JSON：welcome_message、suggest_messages',
    auth: 'user',
    body: generation,
    response: z.object({ message: z.string() }),
    errors: ['insufficient_balance', 'model_unavailable', 'rate_limited'],
  },
  'POST /api/agent': {
    summary: '创建智能体',
    auth: 'user',
    body: agentForm,
    response: savedAgent,
    errors: [
      'agent_not_found',
      'agent_count',
      'model_not_found',
      'not_found',
      'organization_none',
      'rate_limited',
      ...pictureErrors,
    ],
  },
  'PUT /api/agent/{id}': {
    summary: '修改智能体，或自动保存草稿',
    auth: 'user',
    params,
    /** Only a draft may still be without a name. */
    body: agentForm.extend({ name: name.default('') }),
    response: savedAgent,
    errors: [
      'agent_not_found',
      'model_not_found',
      'not_found',
      'organization_none',
      'rate_limited',
      ...pictureErrors,
    ],
  },
  'DELETE /api/agent/{id}': {
    summary: '删除智能体和自己与它的对话；来源文件保留在文档里',
    auth: 'user',
    params,
    response: 'none',
    errors: ['agent_not_found'],
  },
  'GET /api/agent/{id}/status': {
    summary: '来源读取和索引的状态；1 表示还在进行',
    auth: 'user',
    params,
    response: progress,
    errors: ['agent_not_found'],
  },
  'PATCH /api/agent/{id}/embeddings/cancel': {
    summary: '停止还没有完成的读取和索引',
    auth: 'user',
    params,
    response: progress,
    errors: ['agent_not_found'],
  },
  'GET /api/agent/{id}/passage': {
    summary:
      '回答引用的一段来源：自己的智能体，或公开了来源的智能体。带 `hash` 时是被引用时的原文，资料重新读取后也不变',
    auth: 'user',
    widget: true,
    params,
    query: z.object({
      block: z.uuid(),
      chunk: z.int().min(0).max(10_000_000),
      /** Hash of the cited text, which may stand elsewhere in the document since, or be gone. */
      hash: z
        .string()
        .regex(/^[0-9a-f]{16}$/)
        .optional(),
    }),
    response: z.object({ data: agentPassage }),
    errors: ['agent_not_found', 'not_found'],
  },
  'POST /api/agent/{id}/evaluation': {
    summary:
      '自测：从来源里出题，看检索能不能找到答案所在的段落，并试答其中几题，看回答有没有依据；已有进行中的自测时直接返回',
    auth: 'user',
    params,
    response: z.object({ data: agentEvaluation }),
    errors: ['agent_not_found', 'agent_empty', 'rate_limited'],
  },
  'POST /api/agent/{id}/evaluation/cancel': {
    summary: '停止自测，已有的结果保留',
    auth: 'user',
    params,
    response: 'none',
    errors: ['agent_not_found'],
  },
  'GET /api/agent/{id}/evaluations': {
    summary: '各个版本的自测结果，新的在前',
    auth: 'user',
    params,
    response: z.object({ items: z.array(agentEvaluation) }),
    errors: ['agent_not_found'],
  },
  'GET /api/agent/{id}/feedback': {
    summary: '它的回答得到的赞和踩各有多少，以及踩的原因；只有数量，看不到是谁、问了什么',
    auth: 'user',
    params,
    response: z.object({ data: feedbackCounts }),
    errors: ['agent_not_found'],
  },
  'POST /api/agent/{id}/link': {
    summary: '设为公开、组织可见或私有，返回它的链接',
    auth: 'user',
    params,
    body: z.object({ visible: writtenVisible.default(PUBLIC) }),
    response: z.object({ url: z.string(), visible }),
    errors: ['agent_not_found', 'organization_none'],
  },
} as const satisfies Calls
