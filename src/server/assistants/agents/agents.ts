import {
  createDefaultSystemPrompt,
  createDefaultWelcome,
  DEFAULT_AGENT_MODEL,
  PUBLIC,
  SHARED,
} from '#contract/agents/agent-defaults.ts'
import type { Agent, agentCalls, AgentCard, AgentEmbed } from '#contract/agents/agents.ts'
import type { HandlerInput } from '#contract/call.ts'
import { ZHIKU } from '#contract/chatbot.ts'
import type { Blocks } from '#server/documents/blocks/blocks.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor } from '#server/core/http.ts'
import { countFeedback } from '#server/conversations/conversations.ts'
import { createId } from '#server/core/ids.ts'
import { toOffsetResponse } from '#server/core/pagination.ts'
import type { Files } from '#server/files/files.ts'
import type { Knowledge } from '#server/documents/knowledge/knowledge.ts'
import { findRole } from '#server/accounts/organizations/organizations.ts'
import { requireModelAccess } from '#server/llm/llm.ts'
import type { Tasks } from '#server/tasks/tasks.ts'
import type { Users } from '#server/accounts/users/users.ts'
import type { Answering, UsableAgent } from './answering.ts'
import { createEvaluations } from './evaluation.ts'
import { getSourceStatus, summarizeStatus, toEmbed } from './embeds.ts'
import { NEW_AGENT, pickFields, toFields, toVisible } from './form.ts'
import type { AgentInput } from './form.ts'
import { generateSamplePrompts, generateSystemPrompt } from './generation.ts'
import * as store from './store.ts'
import type { StoredAgent } from './store.ts'
import type { Owner, WritingDeps } from './writing.ts'

export { unshareAgents } from './store.ts'
export { loadSeedAgents, seedAgents } from './seed.ts'

const MAX_AGENTS_PER_USER = 200
const HISTORY_SIZE = 30
const POPULAR_SIZE = 12

type Options = WritingDeps & {
  tasks: Tasks
  blocks: Blocks
  knowledge: Knowledge
  answering: Answering
  files: Files
  users: Users
  /** Deletes a user's conversations with a chatbot. */
  removeConversations: (userId: string, chatbot: string) => Promise<void>
}
type AgentQuery = HandlerInput<(typeof agentCalls)['GET /api/agents']>['query']
type Asker = Pick<Visitor, 'user_id' | 'guest' | 'chatbot'>
type Progress = { status: Agent['status']; embeds: AgentEmbed[] }
export { createAnswering } from './answering.ts'
export { createWidgets } from './widget.ts'
export type { UsableAgent } from './answering.ts'
export type Agents = ReturnType<typeof createAgents>

/** Keeps agents that answer from files and links: their forms, sources, lists, and who may use them. */
export function createAgents(options: Options) {
  const { db, tasks, blocks, knowledge, answering, files, users, removeConversations, ...models } = options
  const saveLogo = files.definePictures((urls) => store.listUsedLogos(db, urls))

  const requireOwn = async (userId: string, id: string): Promise<StoredAgent> => {
    const row = await store.findOwnAgent(db, userId, id)
    if (!row) throw new AppError('agent_not_found')
    return row
  }
  /**
   * Returns the agent of a question. Throws AppError unauthorized for a guest; agent_not_found where it is neither public, nor
   * shared with the asker's organization, nor the asker's own, where it never was, and for a visitor of another agent's widget.
   */
  const requireUsable = async ({ user_id, guest, chatbot }: Asker, id: string): Promise<UsableAgent> => {
    if (guest) throw new AppError('unauthorized')
    if (chatbot !== undefined && chatbot !== toChatbot(id)) throw new AppError('agent_not_found')
    const row = await store.findUsableAgent(db, user_id, id)
    if (!row) throw new AppError('agent_not_found')
    const { blocks: ids, suggest_prompts } = row
    const systemPrompt = row.system_prompt || createDefaultSystemPrompt(row)
    const welcomePrompt = row.welcome_prompt || createDefaultWelcome(row)
    const states = await blocks.listStates(ids)
    return {
      ...pickFields(row),
      uuid: id,
      owned: row.user_id === user_id,
      version: row.version,
      settings: { chat: { system_prompt: systemPrompt, welcome_prompt: welcomePrompt, suggest_prompts } },
      documents: ids.map((block) => ({ id: block, name: states.get(block)?.name ?? '' })),
    }
  }
  const evaluations = createEvaluations({
    db,
    tasks,
    knowledge,
    blocks,
    answering,
    getAgent: (userId, id) => requireUsable({ user_id: userId, guest: false }, id),
    ...models,
  })

  const readEmbeds = async ({ user_id, blocks: ids }: StoredAgent): Promise<AgentEmbed[]> => {
    const sources = await blocks.getAll(user_id, ids)
    // Read after the blocks: one that is read by now has its new indexing begun, which an earlier look would miss.
    const documents = await knowledge.listDocuments(ids)
    return sources.map((block) => toEmbed(block, documents.get(block.id)))
  }

  const readProgress = async (row: StoredAgent): Promise<Progress> => {
    const embeds = await readEmbeds(row)
    return { status: summarizeStatus(embeds.map(({ status }) => status)), embeds }
  }

  /** Presents agents to a user, in the same order. */
  const presentCards = async (userId: string, rows: StoredAgent[]): Promise<AgentCard[]> => {
    const ids = rows.flatMap((row) => row.blocks)
    const [profiles, states] = await Promise.all([
      users.listPublicProfiles(rows.map((row) => row.user_id)),
      blocks.listStates(ids),
    ])
    // Read after the blocks, as in `readEmbeds`.
    const documents = await knowledge.listDocuments(ids)
    const getStatus = (id: string) => {
      const block = states.get(id)
      return block ? [getSourceStatus(block.status, documents.get(id))] : []
    }
    return rows.map((row) => ({
      ...toCard(row),
      status: summarizeStatus(row.blocks.flatMap(getStatus)),
      owned: row.user_id === userId,
      owner: profiles.get(row.user_id) ?? { name: '', avatar: '' },
    }))
  }

  const presentOwn = async (row: StoredAgent): Promise<Agent> => {
    const { id, draft_of, version, system_prompt, welcome_prompt, suggest_prompts } = row
    const [[card], progress] = await Promise.all([presentCards(row.user_id, [row]), readProgress(row)])
    return {
      ...card!,
      ...progress,
      settings: { chat: { system_prompt, welcome_prompt, suggest_prompts } },
      version,
      ...(draft_of === null ? {} : { draft_of: draft_of === id ? null : draft_of }),
    }
  }

  /** Returns the ids of a form's sources. Throws AppError not_found for an upload that the user does not have. */
  const findSources = async (userId: string, embeds: AgentInput['embeds']): Promise<string[]> => {
    const ids = embeds.map(async (source) => {
      if (typeof source === 'string') return source
      return 'id' in source ? source.id : (await blocks.getByMd5(userId, ZHIKU, source.md5)).id
    })
    return [...new Set(await Promise.all(ids))]
  }

  /** Throws AppError not_found for a source that is not the user's. */
  const setSources = async (tx: Db, userId: string, agentId: string, ids: string[]): Promise<void> => {
    await blocks.lock(tx, userId, ZHIKU, ids)
    await store.replaceBlocks(tx, agentId, ids)
  }

  /** Returns the form that is being saved. Throws AppError agent_not_found for one that is not the user's. */
  const findSavedDraft = async (userId: string, id: AgentInput['draft']): Promise<StoredAgent | null> => {
    const draft = id ? await requireOwn(userId, id) : null
    if (draft && draft.draft_of === null) throw new AppError('agent_not_found')
    return draft
  }

  /** Throws AppError organization_none where there is no organization to share with. */
  const requireShareable = async (userId: string, visible: number): Promise<void> => {
    if (visible === SHARED && !(await findRole(db, userId))) throw new AppError('organization_none')
  }

  /**
   * Reads what a form sets; its logo and its model may be those of the agent or of the saved form, or a new upload and an
   * existing model. Throws AppError model_not_found, organization_none, and all that saving a logo throws.
   */
  const readFields = async (userId: string, input: AgentInput, before: (StoredAgent | null)[]) => {
    const visible = toVisible(input, before.find((row) => row !== null)?.visible)
    await requireShareable(userId, visible)
    // The default model stands for the one that the server has.
    if (![DEFAULT_AGENT_MODEL, ...before.map((row) => row?.model)].includes(input.model))
      requireModelAccess(options.catalogue, input.model, { type: 'chat' })
    const logos = before.map((row) => row?.logo ?? '')
    const current = logos.find((logo) => logo === input.logo) ?? ''
    return toFields({ ...input, visible, logo: await saveLogo(userId, input.logo, current) })
  }

  /**
   * Saves the sources and all that `write` writes in one transaction, and uses the draft up: when two requests save the same one,
   * the second gets AppError agent_not_found.
   */
  const save = async (
    userId: string,
    { id, embeds }: { id: string; embeds: AgentInput['embeds'] },
    draft: StoredAgent | null,
    write: (tx: Db) => Promise<boolean>,
  ): Promise<void> => {
    const sources = await findSources(userId, embeds)
    await db.transaction(async (tx) => {
      if (draft && !(await store.deleteDraft(tx, userId, draft.id))) throw new AppError('agent_not_found')
      if (!(await write(tx))) throw new AppError('agent_not_found')
      await setSources(tx, userId, id, sources)
    })
    if (draft) await removeConversations(userId, toChatbot(draft.id))
  }

  return {
    generateSystemPrompt: generateSystemPrompt.bind(null, { db, ...models }),
    generateSamplePrompts: generateSamplePrompts.bind(null, { db, ...models }),

    /** Finds the name of a public agent; null for any other id. */
    async findPublic(uuid: string): Promise<Pick<AgentCard, 'uuid' | 'name'> | null> {
      const name = await store.findPublicName(db, uuid)
      return name === undefined ? null : { uuid, name }
    },

    requireUsable,

    /** Records in the caller's transaction that a person asks an agent. */
    countUse: (tx: Db, id: string, userId: string): Promise<void> => store.countUse(tx, userId, id),

    async list(userId: string, { offset, size, ...query }: AgentQuery) {
      const [rows, total] = await Promise.all([
        store.listAgents(db, userId, { ...query, size, offset }),
        store.countListedAgents(db, userId, query),
      ])
      const filter = Object.fromEntries(
        Object.entries(query)
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => [name, String(value)]),
      )
      const items = await presentCards(userId, rows)
      return toOffsetResponse(items, { total, offset, size, url: '/api/agents', query: filter })
    },

    listUsed: async (userId: string): Promise<AgentCard[]> =>
      presentCards(userId, await store.listUsedAgents(db, userId, HISTORY_SIZE)),

    async listPopular(userId: string): Promise<AgentCard[]> {
      const query = { tab: 'popular', q: '', size: POPULAR_SIZE, offset: 0 } as const
      return presentCards(userId, await store.listAgents(db, userId, query))
    },

    /** Returns an agent, with everything for its owner. Throws AppError agent_not_found, as all calls with an agent's id do. */
    async get(userId: string, id: string): Promise<Agent | AgentCard> {
      const row = await store.findUsableAgent(db, userId, id)
      if (!row) throw new AppError('agent_not_found')
      return row.user_id === userId ? presentOwn(row) : (await presentCards(userId, [row]))[0]!
    },

    /** Returns the unsaved form of an agent, or with null of a new one; begins it where there is none. */
    async getDraft(userId: string, agentId: string | null): Promise<Agent> {
      const origin = agentId === null ? NEW_AGENT : await requireOwn(userId, agentId)
      if ('draft_of' in origin && origin.draft_of !== null) throw new AppError('agent_not_found')
      const existing = await store.findDraft(db, userId, agentId)
      if (existing) return presentOwn(existing)
      await db.transaction((tx) => store.insertDraft(tx, userId, pickFields(origin), agentId))
      const draft = await store.findDraft(db, userId, agentId)
      if (!draft) throw new AppError('agent_not_found')
      return presentOwn(draft)
    },

    /**
     * Throws AppError agent_count; not_found for a source that is not the user's, agent_not_found for such a draft; and all that
     * saving a logo throws.
     */
    async create(userId: string, input: AgentInput): Promise<string> {
      const draft = await findSavedDraft(userId, input.draft)
      const fields = await readFields(userId, input, [draft])
      const id = createId()
      await save(userId, { id, embeds: input.embeds }, draft, async (tx) => {
        await store.lockCreation(tx, userId)
        if ((await store.countAgents(tx, userId)) >= MAX_AGENTS_PER_USER) throw new AppError('agent_count')
        return store.insertAgent(tx, { ...fields, id, user_id: userId })
      })
      return id
    },

    /** Throws AppError as `create`, and invalid_input for an agent without a name: only an unsaved form may have none. */
    async update(userId: string, id: string, input: AgentInput): Promise<void> {
      const row = await requireOwn(userId, id)
      if (!input.name && row.draft_of === null) {
        throw new AppError('invalid_input', { fields: { name: '请填写智能体的名称' } })
      }
      const draft = await findSavedDraft(userId, input.draft)
      const fields = await readFields(userId, input, [row, draft])
      await save(userId, { id, embeds: input.embeds }, draft, (tx) =>
        store.updateAgent(tx, userId, id, fields),
      )
    },

    /** Deletes an agent with its unsaved form and its owner's conversations with both; its sources stay among the documents. */
    async delete(userId: string, id: string): Promise<void> {
      await evaluations.cancel(await requireOwn(userId, id))
      const draft = await store.findDraft(db, userId, id)
      if (draft) await removeConversations(userId, toChatbot(draft.id))
      await removeConversations(userId, toChatbot(id))
      await store.deleteAgent(db, userId, id)
    },

    getProgress: async (userId: string, id: string): Promise<Progress> =>
      readProgress(await requireOwn(userId, id)),

    /** Stops the reading and indexing of an agent's unfinished sources; finished parts stay. */
    async cancelEmbeddings(userId: string, id: string): Promise<Progress> {
      const row = await requireOwn(userId, id)
      const unfinished = (await readEmbeds(row)).filter(({ status }) => status < 2)
      for (const embed of unfinished) await blocks.cancel(userId, embed.id)
      await knowledge.cancel(userId, row.blocks)
      return readProgress(row)
    },

    /** Begins a self-test; see evaluation.ts. Throws AppError agent_empty too. */
    startEvaluation: async (owner: Owner, id: string) =>
      evaluations.start(owner, await requireOwn(owner.user_id, id)),

    /** Counts the readers' opinions of the answers of the user's own agent. Throws AppError agent_not_found. */
    countFeedback: async (userId: string, id: string) => countFeedback(db, (await requireOwn(userId, id)).id),

    listEvaluations: async (userId: string, id: string) => evaluations.list(await requireOwn(userId, id)),

    cancelEvaluation: async (userId: string, id: string) => evaluations.cancel(await requireOwn(userId, id)),

    /** Sets who may use an agent, and returns its address, which is also an invitation to sign up. */
    async share(userId: string, id: string, visible: 0 | 1 | 2): Promise<string> {
      await requireShareable(userId, visible)
      if (!(await store.setVisible(db, userId, id, visible))) throw new AppError('agent_not_found')
      return (await users.createInviteLinker(userId))(`/chat/agent/${id}`)
    },
  }
}

const toChatbot = (id: string): string => `${ZHIKU}-${id}`

function toCard(row: StoredAgent): Omit<AgentCard, 'status' | 'owned' | 'owner'> {
  const { system_prompt: _, welcome_prompt, suggest_prompts, ...fields } = pickFields(row)
  return {
    ...fields,
    uuid: row.id,
    public: row.visible === PUBLIC,
    store_mode: 'kb',
    settings: { chat: { welcome_prompt: welcome_prompt || createDefaultWelcome(row), suggest_prompts } },
    uses: row.uses,
    updated_at: row.updated_at.toISOString(),
  }
}
