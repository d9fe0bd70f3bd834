import { AGENT_LIST_SIZE } from '#contract/agents/agent-defaults.ts'
import type { AgentCard } from '#contract/agents/agents.ts'
import type { AllCalls } from '#contract/calls.ts'
import type { CallRequest } from '#contract/call.ts'
import type { PassageRef } from './passageLink.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { request } from '#web/core/api.ts'
import { queryClient, useInfiniteQuery, useQuery } from '#web/core/queryClient.ts'

const agentsKey = ['agents'] as const
/** Channel of agents' documents and type of their chatbots. Repeats the contract's constant, whose module imports zod. */
export const ZHIKU = 'zhiku'
export const toChatbot = (uuid: string): string => `${ZHIKU}-${uuid}`

const STATUS_POLL_MS = 1_000
/** Browsers send at most 64 KiB with `keepalive`; a character takes up to three bytes. */
const MAX_KEEPALIVE_CHARS = 20_000

export type AgentFilter = { tab: 'default' | 'popular'; q: string; category: number | null }
export type AgentBody = NonNullable<CallRequest<AllCalls['POST /api/agent']>['body']>

/**
 * Pages of agents. An empty page ends the list; the popular ones are a single page, whose offset never moves (specification
 * section 4).
 */
export const useAgents = ({ tab, q, category }: AgentFilter) =>
  useInfiniteQuery({
    queryKey: [...agentsKey, 'list', tab, q, category],
    queryFn: ({ pageParam: offset, signal }) => {
      const about = { ...(q ? { q } : {}), ...(category === null ? {} : { category_id: category }) }
      return request(
        'GET /api/agents',
        { query: { tab, ...about, offset, size: AGENT_LIST_SIZE } },
        { signal },
      )
    },
    initialPageParam: 0,
    getNextPageParam: ({ items, next_url }, _, offset) =>
      tab === 'popular' || !items.length || !next_url ? null : offset + items.length,
  })

/** The agents that the person asked last, the latest first. */
export const useRecentAgents = () =>
  useQuery({
    queryKey: [...agentsKey, 'recent'],
    queryFn: async ({ signal }) => (await request('GET /api/agents/history', {}, { signal })).items,
  })

export const useCategories = () =>
  useQuery({
    queryKey: [...agentsKey, 'categories'],
    queryFn: async ({ signal }) =>
      (await request('GET /api/{agent}/categories', { params: { agent: 'agent' } }, { signal })).categories,
    staleTime: Infinity,
  })

export const useAgent = (id: string) =>
  useQuery({
    queryKey: [...agentsKey, 'one', id],
    queryFn: () => agentCalls.get(id),
  })

export const usePassage = ({ agent: id, block, chunk, hash }: PassageRef) =>
  useQuery({
    queryKey: [...agentsKey, 'passage', id, block, chunk, hash],
    queryFn: async ({ signal }) => {
      const query = { block, chunk, ...(hash ? { hash } : {}) }
      return (await request('GET /api/agent/{id}/passage', { params: { id }, query }, { signal })).data
    },
  })

/**
 * The draft of an agent, or with null of a new one: the one that was left unfinished, else a new one. Fetched once for each page,
 * and not touched by `invalidateAgents`.
 */
export const useDraft = (agent: string | null) =>
  useQuery({
    queryKey: ['agent-draft', agent],
    queryFn: async ({ signal }) =>
      (await clearUserOn401(request('POST /api/agent/draft', { body: { agent } }, { signal }))).data,
    staleTime: Infinity,
    gcTime: 0,
  })

const toStatusKey = (id: string) => ['agent-status', id] as const
type SourceStatus = Awaited<ReturnType<typeof agentCalls.getStatus>>

/** Progress of reading and indexing a draft's sources, polled while it goes on. */
export const useSourceStatus = (id: string, initialData: SourceStatus, enabled: boolean) =>
  useQuery({
    queryKey: toStatusKey(id),
    queryFn: () => agentCalls.getStatus(id),
    initialData,
    enabled,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.status === 1 ? STATUS_POLL_MS : false),
  })

export const setSourceStatus = (id: string, status: SourceStatus) =>
  queryClient.setQueryData(toStatusKey(id), status)
export const invalidateSourceStatus = (id: string) =>
  queryClient.invalidateQueries({ queryKey: toStatusKey(id) })

const toEvaluationsKey = (id: string) => ['agent-evaluations', id] as const

/** The self-tests of an agent, the latest first, polled while one goes on. */
export const useEvaluations = (id: string) =>
  useQuery({
    queryKey: toEvaluationsKey(id),
    queryFn: async ({ signal }) =>
      (await request('GET /api/agent/{id}/evaluations', { params: { id } }, { signal })).items,
    refetchInterval: ({ state: { data } }) => (data?.[0]?.status === 1 ? STATUS_POLL_MS : false),
  })

/** Counts of the readers' ratings of one's own agent's answers. */
export const useFeedbackCounts = (id: string) =>
  useQuery({
    queryKey: ['agent-feedback', id],
    queryFn: async ({ signal }) =>
      (await request('GET /api/agent/{id}/feedback', { params: { id } }, { signal })).data,
  })

export const invalidateEvaluations = (id: string) =>
  queryClient.invalidateQueries({ queryKey: toEvaluationsKey(id) })

/** To be called after a change: refetches lists and agents; with `none`, only when they are next shown. */
export const invalidateAgents = (refetchType: 'active' | 'none' = 'active') =>
  queryClient.invalidateQueries({ queryKey: agentsKey, refetchType })

/** Calls that concern agents. They throw ApiError. */
export const agentCalls = {
  get: async (id: string) => (await request('GET /api/agent/{id}', { params: { id } })).data,
  create: (body: AgentBody) => clearUserOn401(request('POST /api/agent', { body })),
  update: (id: string, body: AgentBody) =>
    clearUserOn401(request('PUT /api/agent/{id}', { params: { id }, body })),
  /** Is sent even while the page is being left. */
  saveDraft: (id: string, body: AgentBody) => {
    const keepalive = JSON.stringify(body).length < MAX_KEEPALIVE_CHARS
    return clearUserOn401(request('PUT /api/agent/{id}', { params: { id }, body }, { keepalive }))
  },
  remove: (id: string) => clearUserOn401(request('DELETE /api/agent/{id}', { params: { id } })),
  /** Sets the visibility and returns the link. */
  link: ({ uuid }: AgentCard, visible: AgentCard['visible']) =>
    clearUserOn401(request('POST /api/agent/{id}/link', { params: { id: uuid }, body: { visible } })),
  getStatus: (id: string) => request('GET /api/agent/{id}/status', { params: { id } }),
  cancelSources: (id: string) => request('PATCH /api/agent/{id}/embeddings/cancel', { params: { id } }),
  startEvaluation: (id: string) =>
    clearUserOn401(request('POST /api/agent/{id}/evaluation', { params: { id } })),
  cancelEvaluation: (id: string) =>
    clearUserOn401(request('POST /api/agent/{id}/evaluation/cancel', { params: { id } })),
  addLink: (url: string) => request('GET /api/block/link/extract', { query: { url, channel: ZHIKU } }),
  retrySource: (id: string) => request('POST /api/block/{id}/retry', { params: { id }, body: {} }),
}
