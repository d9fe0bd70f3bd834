import { ApiError, request } from '#web/core/api.ts'
import { agentFormText as text } from '#web/text/agents/form.ts'
import type { AgentFields } from './formFields.ts'

type AgentDescription = Pick<AgentFields, 'name' | 'desc' | 'model'>

/** A system prompt that a model writes from name and description. Throws ApiError. */
export async function generateSystemPrompt({ name, desc, model }: AgentDescription): Promise<string> {
  const { message } = await request(
    'POST /api/agent/system_prompt',
    { body: { name, desc, model } },
    { failed: text.generateFailed },
  )
  return message
}

/** A welcome and suggested prompts that a model writes. Throws ApiError. */
export async function generateSamples({
  name,
  desc,
  model,
}: AgentDescription): Promise<Pick<AgentFields, 'welcome_prompt' | 'suggest_prompts'>> {
  const { message } = await request(
    'POST /api/agent/sample_prompts',
    { body: { name, desc, model } },
    { failed: text.generateFailed },
  )
  const samples = parseSamples(message)
  if (!samples) throw new ApiError(502, { message: text.generateFailed })
  return samples
}

/** Reads `welcome_message` and `suggest_messages` from a model's answer; null where one of them is missing. */
export function parseSamples(
  message: string,
): Pick<AgentFields, 'welcome_prompt' | 'suggest_prompts'> | null {
  let parsed: { welcome_message?: unknown; suggest_messages?: unknown } | null
  try {
    parsed = JSON.parse(message) as typeof parsed
  } catch {
    return null
  }
  const { welcome_message, suggest_messages } = parsed ?? {}
  if (typeof welcome_message !== 'string' || !Array.isArray(suggest_messages)) return null
  return {
    welcome_prompt: welcome_message,
    suggest_prompts: suggest_messages.filter((one) => typeof one === 'string').join('\n'),
  }
}
