import {
  DEFAULT_SUGGEST_PROMPTS,
  DEFAULT_AGENT_MODEL,
  PRIVATE,
  PUBLIC,
  SHARED,
} from '#contract/agents/agent-defaults.ts'
import type { agentCalls } from '#contract/agents/agents.ts'
import type { HandlerInput } from '#contract/call.ts'
import type { AgentFields } from './store.ts'

export type AgentInput = HandlerInput<(typeof agentCalls)['PUT /api/agent/{id}']>['body']

/** The fields with which a form begins (specification section 3). */
export const NEW_AGENT: AgentFields = {
  name: '',
  logo: '',
  desc: '',
  model: DEFAULT_AGENT_MODEL,
  chat_level: 2,
  interneted: false,
  refer_source: false,
  related_prompts: false,
  stream: true,
  visible: PRIVATE,
  category_id: 0,
  system_prompt: '',
  welcome_prompt: '',
  suggest_prompts: [...DEFAULT_SUGGEST_PROMPTS],
}

/**
 * Tells by a form who sees its agent: `public` says the same as `visible` being 2. A form is sent back whole, so the two may
 * contradict each other: then the one that differs from `storedVisible` was changed, and for a new agent `public` counts. An agent
 * that is shared with the organization stays so while `public` is off.
 */
export function toVisible(
  { visible, public: isPublic }: AgentInput,
  storedVisible: AgentFields['visible'] | undefined,
): AgentFields['visible'] {
  const formVisible = visible ?? (isPublic === false && storedVisible === SHARED ? SHARED : PRIVATE)
  if (typeof isPublic !== 'boolean' || isPublic === (formVisible === PUBLIC)) return formVisible
  const isVisibleChanged =
    typeof visible === 'number' && storedVisible !== undefined && isPublic === (storedVisible === PUBLIC)
  if (isVisibleChanged) return formVisible
  return isPublic ? PUBLIC : PRIVATE
}

export const toFields = ({
  settings,
  ...form
}: Omit<AgentInput, 'visible'> & Pick<AgentFields, 'visible'>): AgentFields =>
  pickFields({ ...form, ...settings.chat })

/** Columns of an agent, or of a draft, that its form sets. */
export function pickFields(from: AgentFields): AgentFields {
  const { name, logo, desc, model, chat_level, interneted, refer_source, related_prompts } = from
  const { stream, visible, category_id, system_prompt, welcome_prompt, suggest_prompts } = from
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
    visible,
    category_id,
    system_prompt,
    welcome_prompt,
    suggest_prompts,
  }
}
