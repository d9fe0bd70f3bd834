import type { Agent } from '#contract/agents/agents.ts'
import {
  createDefaultSystemPrompt,
  createDefaultWelcome,
  parseSuggestPrompts,
  PRIVATE,
  PUBLIC,
  SHARED,
} from '#contract/agents/agent-defaults.ts'
import type { AgentBody } from './queries.ts'

/** The form as a person fills it in: suggested prompts are text, a line each. */
export type AgentFields = {
  name: string
  logo: string
  desc: string
  model: string
  chat_level: number
  interneted: boolean
  refer_source: boolean
  related_prompts: boolean
  stream: boolean
  public: boolean
  /** With the organization, where it is not public. */
  shared: boolean
  category_id: string
  /** Ids of its sources. */
  embeds: string[]
  system_prompt: string
  welcome_prompt: string
  suggest_prompts: string
}

// The contract's limit, without the schema library beside it.
export const MAX_NAME_CHARS = 50

export function toFields(agent: Agent): AgentFields {
  const { name, logo, desc, model, chat_level, interneted, refer_source, related_prompts, stream } = agent
  const { system_prompt, welcome_prompt, suggest_prompts } = agent.settings.chat
  return {
    name,
    logo,
    desc,
    model,
    chat_level,
    interneted,
    refer_source,
    related_prompts,
    stream,
    public: agent.visible === PUBLIC,
    shared: agent.visible === SHARED,
    category_id: String(agent.category_id),
    embeds: agent.embeds.map(({ id }) => id),
    system_prompt: system_prompt || createDefaultSystemPrompt(agent),
    welcome_prompt: welcome_prompt || createDefaultWelcome(agent),
    suggest_prompts: suggest_prompts.join('\n'),
  }
}

/** What is sent; texts that are the default ones stay so, and follow the name later too. */
export function toBody(fields: AgentFields): AgentBody {
  const { system_prompt, welcome_prompt, suggest_prompts, embeds, category_id, shared, ...rest } = fields
  return {
    ...rest,
    visible: fields.public ? PUBLIC : shared ? SHARED : PRIVATE,
    category_id: Number(category_id),
    store_mode: 'kb',
    embeds: embeds.map((id) => ({ id })),
    settings: {
      chat: {
        system_prompt: system_prompt === createDefaultSystemPrompt(fields) ? '' : system_prompt,
        welcome_prompt: welcome_prompt === createDefaultWelcome(fields) ? '' : welcome_prompt,
        suggest_prompts: parseSuggestPrompts(suggest_prompts),
      },
    },
  }
}

/** A change with what follows from it: default texts name the agent as it is called then. */
export function withDefaultTexts(before: AgentFields, change: Partial<AgentFields>): Partial<AgentFields> {
  const after = { ...before, ...change }
  const isDefaultPrompt = after.system_prompt === createDefaultSystemPrompt(before)
  const isDefaultWelcome = after.welcome_prompt === createDefaultWelcome(before)
  return {
    ...change,
    ...(isDefaultPrompt ? { system_prompt: createDefaultSystemPrompt(after) } : {}),
    ...(isDefaultWelcome ? { welcome_prompt: createDefaultWelcome(after) } : {}),
  }
}

/** What an agent without a name is called after its first source: the file's name without its ending. */
export const toAgentName = (file: string): string =>
  file.replace(/\.[a-z0-9]{1,8}$/i, '').slice(0, MAX_NAME_CHARS)
