import { createDefaultWelcome } from '#contract/agents/agent-defaults.ts'
import { DEFAULT_WIDGET_LIMIT } from '#contract/agents/widget-visitor.ts'
import type { AgentWidget, WidgetAgent, widgetCalls } from '#contract/agents/widget.ts'
import type { HandlerInput } from '#contract/call.ts'
import { ZHIKU } from '#contract/chatbot.ts'
import type { AgentQuestion } from '#contract/questions/questions.ts'
import { countTurns } from '#server/assistants/general/general.ts'
import type { RequireWidget } from '#server/accounts/auth/auth.ts'
import { AppError } from '#server/core/app-error.ts'
import { toCoins, toMicroCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { hashWithSecret } from '#server/core/secrets.ts'
import { updateSpendLimit } from '#server/ledger/ledger.ts'
import * as store from './store.ts'

/** Most questions of one visitor to one agent, and of all from their address: a household or an office. */
const VISITOR_TURNS = { minute: 10, day: 50 }
const ADDRESS_TURNS = { minute: 40, day: 200 }
/** Longest question of a visitor, who is unknown to the person who pays for it. */
const MAX_QUESTION_CHARS = 4_000

type WidgetInput = HandlerInput<(typeof widgetCalls)['PUT /api/agent/{id}/widget']>['body']
export type Widgets = ReturnType<typeof createWidgets>

/** Keeps public agents on other sites: their owners' permission and payment, and the limits of their visitors. */
export function createWidgets({ db, app_secret }: { db: Db; app_secret: string }) {
  const limitVisitor = createRateLimit({ points: VISITOR_TURNS.minute, seconds: 60 })
  const limitAddress = createRateLimit({ points: ADDRESS_TURNS.minute, seconds: 60 })
  const getToday = (): string => toChinaDay(new Date())

  /** Throws AppError agent_not_found for an agent that is not the user's, and for an unsaved form. */
  const requireOwn = async (userId: string, id: string): Promise<void> => {
    const row = await store.findOwnAgent(db, userId, id)
    if (!row || row.draft_of !== null) throw new AppError('agent_not_found')
  }

  /** Returns who pays for the visitors of an agent, within the budget of today. Throws AppError widget_unavailable. */
  const require: RequireWidget = async (id) => {
    const payer = await store.findWidgetPayer(db, id)
    if (!payer) throw new AppError('widget_unavailable')
    const today = getToday()
    const budget =
      payer.budget_day === today
        ? payer.budget_id
        : await db.transaction((tx) => store.openWidgetBudget(tx, id, today))
    if (!budget) throw new AppError('widget_unavailable')
    return { account_id: payer.account_id, budgets: [budget], chatbot: `${ZHIKU}-${id}` }
  }

  const present = async (id: string): Promise<AgentWidget> => {
    const row = await store.findWidget(db, id)
    if (!row) return { enabled: false, sites: [], daily_limit: DEFAULT_WIDGET_LIMIT, used_today: 0 }
    const { enabled, sites, daily_limit, budget_day, used } = row
    const usedToday = budget_day === getToday() ? toCoins(used ?? 0n) : 0
    return { enabled, sites, daily_limit: toCoins(daily_limit), used_today: usedToday }
  }

  return {
    require,

    async get(userId: string, id: string): Promise<AgentWidget> {
      await requireOwn(userId, id)
      return present(id)
    },

    /** Changes the widget, with effect on the budget of today too. */
    async save(userId: string, id: string, { daily_limit, ...input }: WidgetInput): Promise<AgentWidget> {
      await requireOwn(userId, id)
      const limit = toMicroCoins(daily_limit)
      await db.transaction(async (tx) => {
        const budget = await store.saveWidget(tx, id, { ...input, daily_limit: limit })
        if (budget) await updateSpendLimit(tx, budget, limit)
      })
      return present(id)
    },

    /** Returns an agent for its frame, and the sites that may show it; null where there is no such widget. */
    async findEmbedded(id: string): Promise<{ agent: WidgetAgent; sites: string[] } | null> {
      const row = await store.findEmbeddedAgent(db, id)
      if (!row) return null
      const { name, logo, welcome_prompt, suggest_prompts: prompts, sites } = row
      const welcome = welcome_prompt || createDefaultWelcome(row)
      return { agent: { uuid: id, name, logo, welcome, prompts }, sites }
    },

    /**
     * Checks a visitor's question before anything is read or held for it. Throws AppError rate_limited; payload_too_large;
     * bad_request where it sets what the agent's owner sets: the model, tools, documents.
     */
    async checkQuestion(userId: string, client: string, input: AgentQuestion): Promise<void> {
      await limitVisitor(userId)
      await limitAddress(client)
      if (input.prompt.length > MAX_QUESTION_CHARS) throw new AppError('payload_too_large')
      const { model, models, tools, block, content_type } = input
      if (model || models || tools?.length || block || content_type !== 'text')
        throw new AppError('bad_request')
    },

    /** Counts a visitor's question of today. Throws AppError widget_turns. */
    async countTurn(tx: Db, id: string, { user_id, client }: { user_id: string; client: string }) {
      const address = hashWithSecret(app_secret, 'guest', client)
      const keys = [`widget:${user_id}`, `widget:${id}:${address}`]
      const [visitorTurns = 0, addressTurns = 0] = await countTurns(tx, getToday(), keys, 1)
      if (visitorTurns > VISITOR_TURNS.day || addressTurns > ADDRESS_TURNS.day)
        throw new AppError('widget_turns')
    },
  }
}
