import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { PUBLIC } from '#contract/agents/agent-defaults.ts'
import { blocks } from '#server/documents/blocks/tables.ts'
import { users } from '#server/accounts/users/tables.ts'

const at = () => timestamp({ withTimezone: true }).notNull().defaultNow()

/** Agents that answer from sources, and unsaved forms of them. */
export const agents = pgTable(
  'agents',
  {
    id: uuid().primaryKey(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    logo: text().notNull(),
    desc: text().notNull(),
    model: text().notNull(),
    chat_level: integer().notNull(),
    interneted: boolean().notNull(),
    refer_source: boolean().notNull(),
    related_prompts: boolean().notNull(),
    stream: boolean().notNull(),
    visible: integer().$type<0 | 1 | 2>().notNull(),
    category_id: integer().notNull(),
    /** Texts that are empty stand for the default ones (agent-defaults.ts). */
    system_prompt: text().notNull(),
    welcome_prompt: text().notNull(),
    suggest_prompts: jsonb().$type<string[]>().notNull(),
    /** The agent that an unsaved form changes, or itself where it is to become a new one. */
    draft_of: uuid().references((): AnyPgColumn => agents.id, { onDelete: 'cascade' }),
    version: integer().notNull().default(1),
    /** Number of questions that other people asked it. */
    uses: integer().notNull().default(0),
    created_at: at(),
    updated_at: at(),
  },
  (t) => [
    index('agents_owner').on(t.user_id, t.updated_at),
    index('agents_public')
      .on(t.uses, t.id)
      .where(sql`${t.visible} = ${sql.raw(String(PUBLIC))} AND ${t.draft_of} IS NULL`),
    // A person has one unsaved form of each agent, and one of an agent that is to be created.
    uniqueIndex('agents_draft')
      .on(t.user_id, t.draft_of)
      .where(sql`${t.draft_of} <> ${t.id}`),
    uniqueIndex('agents_new_draft')
      .on(t.user_id)
      .where(sql`${t.draft_of} = ${t.id}`),
  ],
)

/** The sources of an agent: blocks of its owner. */
export const agentBlocks = pgTable(
  'agent_blocks',
  {
    agent_id: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    block_id: uuid()
      .notNull()
      .references(() => blocks.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.agent_id, t.block_id] }), index('agent_blocks_block').on(t.block_id)],
)

/** Permission to embed an agent on some sites, and the most that its visitors may cost its owner. */
export const agentWidgets = pgTable('agent_widgets', {
  agent_id: uuid()
    .primaryKey()
    .references(() => agents.id, { onDelete: 'cascade' }),
  enabled: boolean().notNull(),
  /** Origins that may show it. */
  sites: jsonb().$type<string[]>().notNull(),
  /** Micro-coins that its visitors may cost in a day. */
  daily_limit: bigint({ mode: 'bigint' }).notNull(),
  /** Budget of the ledger for the last day with a visitor, and that day, a date in China; both null before the first. */
  budget_id: uuid(),
  budget_day: text(),
})

/** The time when a person last asked an agent. */
export const agentUses = pgTable(
  'agent_uses',
  {
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    agent_id: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    used_at: at(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.agent_id] }), index('agent_uses_agent').on(t.agent_id)],
)

/** Self-tests: passages of an agent's sources, and the results of their questions so far. */
export const agentEvaluations = pgTable(
  'agent_evaluations',
  {
    id: uuid().primaryKey(),
    agent_id: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    task_id: uuid().notNull(),
    /** Passages, each with its question once that is made; null where none can be. */
    samples: jsonb().$type<{ document_id: string; chunk: number; question?: string | null }[]>().notNull(),
    /**
     * `rank`: place of the passage among those found, from 1; null where it was not found. `answer`, where the agent answered:
     * how many sentences say something, how many of them its sources support, those that they do not, and the passages that it
     * was given.
     */
    results: jsonb()
      .$type<
        {
          question: string
          document_id: string
          chunk: number
          rank: number | null
          answer?: {
            sentences: number
            supported: number
            unsupported?: string[]
            passages?: { n: number; title: string; document_id: string; chunk: number; hash?: string }[]
          } | null
        }[]
      >()
      .notNull()
      .default([]),
    /** Error code of the contract, where the self-test failed or was stopped. */
    code: text(),
    created_at: at(),
    ended_at: timestamp({ withTimezone: true }),
  },
  (t) => [index('agent_evaluations_agent').on(t.agent_id, t.id)],
)
