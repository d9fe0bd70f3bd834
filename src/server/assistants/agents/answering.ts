import { createIntroduction, NOT_FOUND_ANSWER } from '#contract/agents/agent-defaults.ts'
import type { Agent, AgentPassage } from '#contract/agents/agents.ts'
import { formatPassageUrl } from '#contract/documents/passages.ts'
import type { AgentReference } from '#contract/gateway/agent-chat.ts'
import type { MessageSearch, SearchSource } from '#contract/web-search.ts'
import { AppError } from '#server/core/app-error.ts'
import { addToQuestion, joinPreparations } from '#server/conversations/conversations.ts'
import type { PromptPreparation } from '#server/conversations/conversations.ts'
import { formatPlace, hashPassage, reviewAnswer } from '#server/documents/knowledge/knowledge.ts'
import type { Card, Knowledge, Passage, PassageRef } from '#server/documents/knowledge/knowledge.ts'
import { estimateTokens, getContentText } from '#server/llm/llm.ts'
import type { Catalogue, ModelEntry, PromptMessage } from '#server/llm/llm.ts'
import type { ChatRunRequest, Payer, Runs } from '#server/runs/runs.ts'
import { createSearchPreparation } from '#server/conversations/web-search/web-search.ts'
import type { WebSearch } from '#server/conversations/web-search/web-search.ts'
import { createCitationGuard } from './hidden-citations.ts'
import { createLeakGuard } from './leak-guard.ts'
import { buildMaterial, buildSystemText } from './material.ts'
import { rewriteQuestion } from './rewrite.ts'
import type { EarlierTurn } from './rewrite.ts'

/** Most tokens that cards add to a prompt, and their largest share of the model's context. */
const MAX_CARD_TOKENS = 6_000
const CONTEXT_SHARE = 0.3
/** Tokens of the words around the cards, and of a question that was rewritten. */
const FRAME_TOKENS = 600
/** Most earlier questions that tell the subject of a question. */
const MAX_EARLIER = 3

/** An agent as a person who asks it may use it. */
export type UsableAgent = Pick<
  Agent,
  | 'uuid'
  | 'owned'
  | 'name'
  | 'desc'
  | 'model'
  | 'chat_level'
  | 'interneted'
  | 'refer_source'
  | 'related_prompts'
  | 'stream'
  | 'version'
> & {
  /** Defaults replace empty texts. */
  settings: Agent['settings']
  /** Its sources, which are blocks of its owner. */
  documents: { id: string; name: string }[]
}

type Deps = { knowledge: Knowledge; runs: Runs; catalogue: Catalogue; search: WebSearch | null }

export type AgentQuestion = {
  asker: Payer
  question: string
  model: ModelEntry
  /** A continued answer as it stands. */
  partial?: { text: string; search: MessageSearch | null } | null
  /** Passages from which the previous answer was made. */
  recent?: PassageRef[]
  /** Puts the documents of the question itself into the prompt. */
  documents?: PromptPreparation | null
}

type AgentPlan = {
  system: string
  preparation: PromptPreparation
  createGuard: NonNullable<ChatRunRequest['createGuard']>
  searches_web: boolean
  /** Returns the sources of the answer that its reader may see, once it is prepared. */
  listReferences: () => AgentReference[]
}

export type Answering = ReturnType<typeof createAnswering>
type AgentCard = Card & Passage

/** Creates the answering of agents, in a conversation or to a program. */
export function createAnswering({ knowledge, runs, catalogue, search }: Deps) {
  /** Returns everything that an answer of an agent needs. The preparation is good for one answer. */
  const plan = (agent: UsableAgent, request: AgentQuestion): AgentPlan => {
    const { asker, question, model, partial = null, recent = [], documents = null } = request
    const areSourcesShown = showsSources(agent)
    // A continued answer keeps the numbers that it has cited: its pages, and its passages.
    const web = agent.interneted && !partial ? search : null
    const keptSources = partial?.search?.sources ?? []
    const keptPages = keptSources.filter(({ block }) => !block)
    const documentsOfAgent = agent.documents.map(({ id }) => id)
    const keptPassages = listAgentPassages(keptSources).filter(({ document_id }) =>
      documentsOfAgent.includes(document_id),
    )
    const budget = Math.min(MAX_CARD_TOKENS, Math.floor(model.context_window * CONTEXT_SHARE))
    const maxChars = Math.floor((budget * 1_000) / estimateTokens('文'.repeat(1_000), model.id))
    let query = question
    let cards: AgentCard[] = []
    let searchNote: MessageSearch = { state: 'nothing', sources: [] }

    const rewriting: PromptPreparation = {
      reserved_tokens: 0,
      async buildMessages(messages, { signal }) {
        const earlier = listEarlier(messages, question)
        query = await rewriteQuestion(
          { runs, catalogue },
          { asker, subject_id: agent.uuid, model, question, earlier, signal },
        )
        return messages
      },
    }
    const retrieval: PromptPreparation = {
      reserved_tokens: budget + FRAME_TOKENS,
      async buildMessages(messages, { signal, saveNote, sources = [] }) {
        const passages = keptPassages.length
          ? await knowledge.readPassages(keptPassages)
          : await knowledge.search({
              ...asker,
              documents: documentsOfAgent,
              question: query,
              earlier: listEarlier(messages, question)
                .slice(-MAX_EARLIER)
                .map((turn) => turn.question),
              recent,
              max_chars: maxChars,
              signal,
            })
        cards = passages.map((passage, at) => toCard(passage, sources.length + at + 1))
        const shownSources = areSourcesShown ? cards.map((card) => toSource(agent, card)) : []
        const state = sources.length + cards.length ? 'found' : 'nothing'
        searchNote = { state, sources: [...sources, ...shownSources] }
        await saveNote({ search: searchNote })
        return addToQuestion(messages, question, { text: buildMaterial(cards, question, query) })
      },
      finish(text) {
        if (!text) return null
        const others = searchNote.sources.filter(({ n }) => !cards.some((card) => card.n === n))
        const sources = [...others.map(({ n, title }) => ({ n, title, text: null })), ...cards]
        const review = reviewAnswer((partial?.text ?? '') + text, sources, { cites: areSourcesShown })
        return { search: { ...searchNote, review } }
      },
    }
    const getQuery = (): string => query
    const steps = [web && createSearchPreparation(web, question, model.id, getQuery), documents, retrieval]
    const preparation = steps.reduce<PromptPreparation>(
      (joined, step) => joinPreparations(joined, step)!,
      rewriting,
    )
    return {
      system: buildSystemText(agent.settings.chat.system_prompt, {
        chat_level: agent.chat_level,
        cites: areSourcesShown,
        searches_web: web !== null,
      }),
      preparation: partial ? withSources(preparation, keptPages) : preparation,
      createGuard(messages) {
        const guard = createLeakGuard({
          secret: agent.settings.chat.system_prompt,
          knownTexts: listKnown(agent, messages),
          before: partial?.text ?? '',
        })
        if (areSourcesShown) return guard
        return createCitationGuard(guard, (n) => !searchNote.sources.some((source) => source.n === n))
      },
      searches_web: web !== null,
      listReferences: () =>
        searchNote.sources.map(({ n, title, url, site, confidence = null }) => {
          const card = cards.find((one) => one.n === n)
          const source = site ? `${title}（${site}）` : title
          return { n, content: card?.text ?? title, source: card ? source : url, confidence }
        }),
    }
  }

  return {
    plan,

    /** Reads a passage of an agent's sources for a person who may see them. Throws AppError not_found. */
    async readPassage(
      agent: UsableAgent,
      { block, ...cited }: { block: string; chunk: number; hash?: string | undefined },
    ): Promise<AgentPassage> {
      const document = agent.documents.find(({ id }) => id === block)
      const isShown = document && showsSources(agent)
      const [passage] = isShown ? await knowledge.readPassages([{ document_id: document.id, ...cited }]) : []
      if (!document || !passage) throw new AppError('not_found')
      const { chunk, place, text, outdated } = passage
      const isLinked = agent.owned && !outdated
      const url = isLinked ? formatPassageUrl(document.id, await knowledge.locate(passage)) : null
      return { block, chunk, name: document.name, place, text, outdated, url }
    },
  }
}

/** Tells whether sources are shown: always to the agent's owner, and to others where the agent allows it. */
const showsSources = ({ owned, refer_source }: UsableAgent): boolean => owned || refer_source

/** Lists what a person who asks an agent may read anyway: its card, the conversation, and the sources of the answer. */
const listKnown = ({ name, desc, settings }: UsableAgent, messages: readonly PromptMessage[]): string[] => [
  name,
  desc,
  settings.chat.welcome_prompt,
  ...settings.chat.suggest_prompts,
  createIntroduction({ name, desc }),
  NOT_FOUND_ANSWER,
  ...messages.filter(({ role }) => role !== 'system').map(({ content }) => getContentText(content)),
]

/** Returns the passages of an agent among these sources. */
export const listAgentPassages = (sources: readonly SearchSource[]): PassageRef[] =>
  sources.flatMap(({ block }) =>
    block?.chunk === undefined ? [] : [{ document_id: block.id, chunk: block.chunk, hash: block.hash }],
  )

/** Makes the numbers of a preparation follow those of sources that the answer has. */
const withSources = (preparation: PromptPreparation, sources: SearchSource[]): PromptPreparation => ({
  ...preparation,
  buildMessages: (messages, step) => preparation.buildMessages(messages, { ...step, sources }),
})

/** Lists the turns before a question, oldest first. */
function listEarlier(messages: readonly PromptMessage[], question: string): EarlierTurn[] {
  const isQuestion = ({ role, content }: PromptMessage): boolean =>
    role === 'user' && getContentText(content).includes(question)
  const before = messages.slice(0, messages.findLastIndex(isQuestion))
  return before.flatMap(({ role, content }, at) => {
    if (role !== 'user') return []
    const next = before[at + 1]
    const answer = next?.role === 'assistant' ? getContentText(next.content) : ''
    return [{ question: getContentText(content), answer }]
  })
}

/** Makes a card without the headings of its place, which are in the passage's title already. */
function toCard(passage: Passage, n: number): AgentCard {
  const { heading: _heading, ...place } = passage.place
  return { ...passage, place, n }
}

/** Makes a source whose address shows the passage on the agent's page, where its owner finds the way into the document. */
const toSource = ({ uuid }: UsableAgent, card: AgentCard): SearchSource => {
  const { n, title, document_id, piece, place, chunk, text, confidence } = card
  const hash = hashPassage(text)
  return {
    n,
    title,
    url: `/chat/agent/${uuid}?block=${document_id}&chunk=${chunk}&hash=${hash}`,
    site: formatPlace(place),
    published_at: null,
    block: { id: document_id, piece, place, chunk, hash },
    confidence,
  }
}
