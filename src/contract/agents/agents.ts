import { z } from 'zod'
import { agentEvaluation } from './evaluation.ts'
import { modelId } from '#contract/ids/ids.ts'
import { DEFAULT_AGENT_MODEL, agentCategories, MAX_EMBEDS, PUBLIC } from './agent-defaults.ts'
import { md5, piecePlace } from '../blocks.ts'
import { updatedAt } from '#contract/dates/dates.ts'
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
const status = z
  .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
  .describe('状态：0 等待或没有资料、1 读取或索引中、2 就绪、3 失败')
const name = z.string().trim().max(50)
const desc = z.string().trim().max(500).describe('智能体的介绍')
const category = z
  .int()
  .refine((id) => id === 0 || agentCategories.some((one) => one.id === id))
  .meta({ minimum: 0, maximum: agentCategories.length })

/** A file or link that an agent answers from: a block and the progress of its reading and indexing. */
const agentEmbed = z.object({
  id: z.uuid().describe('文档的编号'),
  name: z.string().describe('文档的名称'),
  type: z.string().describe('文档的类型'),
  size: z.int().describe('文件的字节数'),
  link: z.string().nullable().describe('网页的地址；文件则为空'),
  status,
  percent: z.int().describe('读取与索引完成的百分比'),
  /** Chinese reason of status 3. */
  error: z.string().nullable().describe('出错的原因；没有出错则为空'),
  delay: z.string().nullable().describe('推迟的原因，稍后自动重试；没有推迟则为空'),
  chunks: z.int().describe('索引里的段落数'),
})
export type AgentEmbed = z.output<typeof agentEmbed>

/** The part of an agent that everybody who may use it sees. */
const agentCard = z.object({
  uuid: z.uuid().describe('智能体的编号'),
  name: z.string().describe('智能体的名称'),
  logo: z.string().describe('标志的地址；没有则为空'),
  desc: z.string().describe('智能体的介绍'),
  model: z.string().describe('模型 ID'),
  chat_level: z.int().describe('回答的依据：1 可以补充模型自己的知识并说明、2 只依据资料'),
  interneted: z.boolean().describe('是否联网搜索'),
  refer_source: z.boolean().describe('是否让读者看到引用的资料'),
  related_prompts: z.boolean().describe('是否给出相关的问题'),
  stream: z.boolean().describe('是否流式回答'),
  visible,
  public: z.boolean().describe('是否公开'),
  category_id: z.int().describe('分类的编号；0 为没有分类'),
  store_mode: z.literal('kb').describe('保存方式：kb 知识库'),
  status,
  settings: z
    .object({
      chat: z
        .object({
          /** Never empty: the default greeting where its owner wrote none. */
          welcome_prompt: z.string().describe('欢迎语'),
          suggest_prompts: z.array(z.string()).describe('建议的问题'),
        })
        .describe('对话的设置'),
    })
    .describe('智能体的设置'),
  owned: z.boolean().describe('是否为自己的智能体'),
  owner: z
    .object({ name: z.string().describe('昵称'), avatar: z.string().describe('头像的地址；没有则为空') })
    .describe('所有者'),
  uses: z.int().describe('别人提问的次数'),
  updated_at: updatedAt,
})
export type AgentCard = z.output<typeof agentCard>

/** An agent as its owner has it. */
const agent = agentCard.extend({
  settings: z
    .object({
      chat: z
        .object({
          /** As the owner wrote them; the default takes the place of an empty one (agent-defaults.ts). */
          system_prompt: z.string().describe('系统提示词；空为默认的'),
          welcome_prompt: z.string().describe('欢迎语；空为默认的'),
          suggest_prompts: z.array(z.string()).describe('建议的问题'),
        })
        .describe('对话的设置'),
    })
    .describe('智能体的设置'),
  embeds: z.array(agentEmbed).describe('资料：文件与网页'),
  version: z.int().describe('版本，每次保存加一'),
  draft_of: z
    .uuid()
    .nullable()
    .optional()
    .describe('草稿修改的智能体的编号；新智能体的草稿为空，不是草稿则没有'),
})
export type Agent = z.output<typeof agent>

/** The whole form (specification section 3). Its transient flags (`uploading`, `embedding` …) are ignored. */
export const agentForm = z.object({
  name: name.min(1).describe('智能体的名称'),
  logo: pictureUrl.default('').describe('标志：已上传图片的地址，或现在的标志；空为没有'),
  desc: desc.default(''),
  /** An existing chat model, or the agent's present one, even if it is gone: the default model answers meanwhile. */
  model: modelId.default(DEFAULT_AGENT_MODEL),
  chat_level: z
    .int()
    .min(1)
    .max(2)
    .default(2)
    .describe('回答的依据：1 可以补充模型自己的知识并说明、2 只依据资料'),
  interneted: z.boolean().default(false).describe('是否联网搜索'),
  refer_source: z.boolean().default(false).describe('是否让读者看到引用的资料'),
  related_prompts: z.boolean().default(false).describe('是否给出相关的问题'),
  stream: z.boolean().default(true).describe('是否流式回答'),
  /** 0 when both this and `public` are absent. */
  visible: writtenVisible.nullish(),
  /** True means that `visible` is 2; where the two contradict each other, the one that was changed counts. */
  public: z.boolean().nullish().describe('是否公开：等于 visible 为 2'),
  category_id: category.default(0).describe('分类的编号；0 为没有分类'),
  store_mode: z.literal('kb').default('kb').describe('保存方式：kb 知识库'),
  /** The owner's blocks of the channel `zhiku`, in order: each by id, whole, or as the record of its upload. */
  embeds: z
    .array(z.union([z.uuid(), z.object({ id: z.uuid().describe('文档的编号') }), z.object({ md5 })]))
    .max(MAX_EMBEDS)
    .default([])
    .describe('资料：自己的文档，按顺序，写编号或上传的记录'),
  settings: z
    .object({ chat: chatSettings.default(chatSettings.parse({})).describe('对话的设置') })
    .default({ chat: chatSettings.parse({}) })
    .describe('智能体的设置'),
  /** The draft that this form was; saving uses it up. */
  draft: z.uuid().nullish().describe('这份表单原来的草稿的编号'),
})
export type AgentForm = z.input<typeof agentForm>

/** A passage of a source, for readers to check. */
const agentPassage = z.object({
  block: z.uuid().describe('文档的编号'),
  chunk: z.int().describe('段落的序号'),
  name: z.string().describe('文档的名称'),
  place: piecePlace,
  text: z.string().describe('段落的文字'),
  outdated: z.boolean().describe('文档重新读取后是否已没有这段文字'),
  url: z.string().nullable().describe('文档的地址，定位到段落；不是自己的或已变化则为空'),
})
export type AgentPassage = z.output<typeof agentPassage>

const params = z.object({ id: z.uuid().describe('智能体的编号') })
const generation = z.object({
  name: name.min(1).describe('智能体的名称'),
  desc: desc.default(''),
  model: modelId.nullish(),
})
const progress = z.object({ status, embeds: z.array(agentEmbed).describe('资料和它们的状态') })
const savedAgent = z.object({ uuid: z.uuid().describe('智能体的编号') })

const ratingCounts = z.object({ up: z.int().describe('赞的个数'), down: z.int().describe('踩的个数') })
/** Readers' ratings of an agent's answers as numbers alone: no names and no parts of conversations. */
const feedbackCounts = z.object({
  all: ratingCounts.describe('全部回答得到的评价'),
  recent: ratingCounts.describe('近 30 天的回答得到的评价'),
  /** Number of times that each reason was given for a 踩; one answer may have several. */
  reasons: z.record(z.enum(feedbackReasons), z.int()).describe('各种原因的次数'),
})
export type FeedbackCounts = z.output<typeof feedbackCounts>

export const agentCalls = {
  'GET /api/agents': {
    summary: '智能体：自己的在前，然后是所在组织的，再是公开的；或按热度排列的公开智能体',
    auth: 'guest',
    query: z.object({
      tab: filterWord(['default', 'popular'])
        .default('default')
        .describe('列表：default 自己的在前、popular 公开的按热度'),
      q: z.string().trim().max(100).default('').describe('搜索的词：每个词都在名称或介绍里'),
      category_id: z.int().min(0).max(1_000_000).optional().describe('只要这个分类的'),
      offset: z.int().min(0).max(1_000_000).default(0).describe('跳过的条数'),
      size: pageSize(AGENTS_SIZE),
    }),
    response: paginated(agentCard),
  },
  'GET /api/agents/history': {
    summary: '最近用过的智能体，新的在前',
    auth: 'user',
    response: z.object({ items: z.array(agentCard).describe('最近用过的智能体') }),
  },
  'GET /api/agents/popular': {
    summary: '热门的公开智能体',
    auth: 'guest',
    response: z.object({ items: z.array(agentCard).describe('热门的智能体') }),
  },
  // These come before GET /api/agent/{id} and GET /api/block/{id}, which would take `categories` for an id.
  'GET /api/{agent}/categories': {
    summary: '一个频道的分类：智能体（agent 或 zhiku）有分类，其他频道没有，返回空的列表',
    auth: 'guest',
    params: z.object({
      agent: z
        .enum(['agent', ZHIKU, DATI, BLOCK, COMPARE, FANYI])
        .describe('频道：agent 与 zhiku 都是智能体'),
    }),
    response: z.object({
      categories: z
        .array(z.object({ id: z.int().describe('分类的编号'), name: z.string().describe('分类的名称') }))
        .describe('频道的分类'),
    }),
    errors: ['not_found'],
  },
  'GET /api/agent/{id}': {
    summary: '一个智能体；自己的带有全部设置和来源',
    auth: 'guest',
    params,
    response: z.object({ data: z.union([agent, agentCard]).describe('智能体；自己的带有全部设置') }),
    errors: ['agent_not_found'],
  },
  'POST /api/agent/draft': {
    summary: '还没有保存的智能体：新建的，或正在修改的；已有的草稿直接返回',
    auth: 'user',
    body: z.object({ agent: z.uuid().nullish().describe('要修改的智能体的编号；没有时为新建') }),
    response: z.object({ data: agent.describe('草稿') }),
    errors: ['agent_not_found', 'rate_limited'],
  },
  'POST /api/agent/system_prompt': {
    summary: '按名称和介绍写一份系统提示词；没有可用的模型时是默认的模板',
    auth: 'user',
    body: generation,
    response: z.object({ message: z.string().describe('系统提示词') }),
    errors: ['insufficient_balance', 'model_unavailable', 'rate_limited'],
  },
  'POST /api/agent/sample_prompts': {
    summary: '按名称和介绍写欢迎语和建议问题；message 是 JSON：welcome_message、suggest_messages',
    auth: 'user',
    body: generation,
    response: z.object({
      message: z.string().describe('欢迎语与建议的问题，JSON 文本：welcome_message、suggest_messages'),
    }),
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
    body: agentForm.extend({ name: name.default('').describe('智能体的名称，只有草稿可以没有') }),
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
      block: z.uuid().describe('文档的编号'),
      chunk: z.int().min(0).max(10_000_000).describe('段落的序号'),
      /** Hash of the cited text, which may stand elsewhere in the document since, or be gone. */
      hash: z
        .string()
        .regex(/^[0-9a-f]{16}$/)
        .optional()
        .describe('被引用时段落内容的摘要值'),
    }),
    response: z.object({ data: agentPassage.describe('引用的段落') }),
    errors: ['agent_not_found', 'not_found'],
  },
  'POST /api/agent/{id}/evaluation': {
    summary:
      '自测：从来源里出题，看检索能不能找到答案所在的段落，并试答其中几题，看回答有没有依据；已有进行中的自测时直接返回',
    auth: 'user',
    params,
    response: z.object({ data: agentEvaluation.describe('自测') }),
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
    response: z.object({ items: z.array(agentEvaluation).describe('自测，新的在前') }),
    errors: ['agent_not_found'],
  },
  'GET /api/agent/{id}/feedback': {
    summary: '它的回答得到的赞和踩各有多少，以及踩的原因；只有数量，看不到是谁、问了什么',
    auth: 'user',
    params,
    response: z.object({ data: feedbackCounts.describe('评价的数量') }),
    errors: ['agent_not_found'],
  },
  'POST /api/agent/{id}/link': {
    summary: '设为公开、组织可见或私有，返回它的链接',
    auth: 'user',
    params,
    body: z.object({ visible: writtenVisible.default(PUBLIC) }),
    response: z.object({ url: z.string().describe('智能体的链接'), visible }),
    errors: ['agent_not_found', 'organization_none'],
  },
} as const satisfies Calls
