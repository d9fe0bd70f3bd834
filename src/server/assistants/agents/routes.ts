import { agentCategories } from '#contract/agents/agent-defaults.ts'
import { ZHIKU } from '#contract/chatbot.ts'
import type { agentCalls } from '#contract/agents/agents.ts'
import type { widgetCalls } from '#contract/agents/widget.ts'
import type { Handlers } from '#server/core/http.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import type { Agents } from './agents.ts'
import type { Answering } from './answering.ts'
import type { Widgets } from './widget.ts'

/** Limits per user: agents that are created, texts that are generated, and forms, which save themselves every few seconds. */
const CREATE_LIMIT = { points: 30, seconds: 60 }
const GENERATE_LIMIT = { points: 20, seconds: 60 }
const SAVE_LIMIT = { points: 180, seconds: 60 }

export function agentRoutes(agents: Agents, answering: Answering): Handlers<typeof agentCalls> {
  const limitCreates = createRateLimit(CREATE_LIMIT)
  const limitGenerations = createRateLimit(GENERATE_LIMIT)
  const limitSaves = createRateLimit(SAVE_LIMIT)
  return {
    'GET /api/agents': ({ query }, { visitor }) => agents.list(visitor.user_id, query),

    'GET /api/agents/history': async (_, { visitor }) => ({ items: await agents.listUsed(visitor.user_id) }),

    'GET /api/agents/popular': async (_, { visitor }) => ({
      items: await agents.listPopular(visitor.user_id),
    }),

    'GET /api/{agent}/categories': async ({ params: { agent } }) => ({
      categories: agent === 'agent' || agent === ZHIKU ? [...agentCategories] : [],
    }),

    'GET /api/agent/{id}': async ({ params }, { visitor }) => ({
      data: await agents.get(visitor.user_id, params.id),
    }),

    'POST /api/agent/draft': async ({ body }, { visitor }) => {
      await limitCreates(visitor.user_id)
      return { data: await agents.getDraft(visitor.user_id, body.agent ?? null) }
    },

    'POST /api/agent/system_prompt': async ({ body }, { visitor }) => {
      await limitGenerations(visitor.user_id)
      return { message: await agents.generateSystemPrompt(visitor, body) }
    },

    'POST /api/agent/sample_prompts': async ({ body }, { visitor }) => {
      await limitGenerations(visitor.user_id)
      return { message: JSON.stringify(await agents.generateSamplePrompts(visitor, body)) }
    },

    'POST /api/agent': async ({ body }, { visitor }) => {
      await limitCreates(visitor.user_id)
      return { uuid: await agents.create(visitor.user_id, body) }
    },

    'PUT /api/agent/{id}': async ({ params, body }, { visitor }) => {
      await limitSaves(visitor.user_id)
      await agents.update(visitor.user_id, params.id, body)
      return { uuid: params.id }
    },

    'DELETE /api/agent/{id}': async ({ params }, { visitor }) => {
      await agents.delete(visitor.user_id, params.id)
      return undefined
    },

    'GET /api/agent/{id}/status': ({ params }, { visitor }) => agents.getProgress(visitor.user_id, params.id),

    'PATCH /api/agent/{id}/embeddings/cancel': ({ params }, { visitor }) =>
      agents.cancelEmbeddings(visitor.user_id, params.id),

    'GET /api/agent/{id}/passage': async ({ params, query }, { visitor }) => {
      const agent = await agents.requireUsable(visitor, params.id)
      return { data: await answering.readPassage(agent, query) }
    },

    'POST /api/agent/{id}/evaluation': async ({ params }, { visitor }) => {
      await limitGenerations(visitor.user_id)
      return { data: await agents.startEvaluation(visitor, params.id) }
    },

    'POST /api/agent/{id}/evaluation/cancel': async ({ params }, { visitor }) => {
      await agents.cancelEvaluation(visitor.user_id, params.id)
      return undefined
    },

    'GET /api/agent/{id}/evaluations': async ({ params }, { visitor }) => ({
      items: await agents.listEvaluations(visitor.user_id, params.id),
    }),

    'GET /api/agent/{id}/feedback': async ({ params }, { visitor }) => ({
      data: await agents.countFeedback(visitor.user_id, params.id),
    }),

    'POST /api/agent/{id}/link': async ({ params, body: { visible } }, { visitor }) => ({
      url: await agents.share(visitor.user_id, params.id, visible),
      visible,
    }),
  }
}

export function widgetRoutes(widgets: Widgets): Handlers<typeof widgetCalls> {
  const limitSaves = createRateLimit(CREATE_LIMIT)
  return {
    'GET /api/agent/{id}/widget': async ({ params }, { visitor }) => ({
      data: await widgets.get(visitor.user_id, params.id),
    }),

    'PUT /api/agent/{id}/widget': async ({ params, body }, { visitor }) => {
      await limitSaves(visitor.user_id)
      return { data: await widgets.save(visitor.user_id, params.id, body) }
    },
  }
}
