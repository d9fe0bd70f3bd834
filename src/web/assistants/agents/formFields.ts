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

/** The form's values; suggested prompts are one text with a line for each. */
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
  /** Shared with the organization; counts only where it is not public. */
  shared: boolean
  category_id: string
  /** Ids of the sources. */
  embeds: string[]
  system_prompt: string
  welcome_prompt: string
  suggest_prompts: string
}

// The contract's limit, repeated here because importing it would bring the schema library along.
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

/** The request body of a form. Default texts are sent as empty, so that they follow later changes of the name. */
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

/** Adds to a change the default texts that follow from it, since they contain the agent's name. */
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

/** Name for an agent without one after its first source: the file's name without its extension. */
export const toAgentName = (file: string): string =>
  file.replace(/\.[a-z0-9]{1,8}$/i, '').slice(0, MAX_NAME_CHARS)
