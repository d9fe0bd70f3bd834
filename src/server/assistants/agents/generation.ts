import {
  createDefaultSystemPrompt,
  createDefaultWelcome,
  DEFAULT_SUGGEST_PROMPTS,
} from '#contract/agents/agent-defaults.ts'
import { asString, parseJsonObject } from '#server/core/json.ts'
import { write } from './writing.ts'
import type { Owner, WritingDeps } from './writing.ts'

/** Name and description of an agent in its form. `model` writes; the default one does where it cannot be used. */
type Described = { name: string; desc: string; model?: string | null | undefined }
export type SamplePrompts = { welcome_message: string; suggest_messages: string[] }

const MAX_ROLE_CHARS = 3_000
const MAX_WELCOME_CHARS = 300
const MAX_SUGGESTIONS = 4
const MAX_SUGGESTION_CHARS = 60

const ROLE_INSTRUCTION = [
  '你为一个智能体写系统提示词的开头：它是谁、帮助哪些人、能做哪些事、按什么步骤回答、用什么语气和格式。',
  '智能体只根据它的知识卡片回答，这条以及保密的规则会另外加在后面，不要写；也不要编造它有哪些资料。',
  '用第二人称“你”，分条写清楚，不超过五百个字。只输出提示词本身，不要解释，不要代码块。',
].join('\n')

const SAMPLE_INSTRUCTION = [
  '你为一个智能体写欢迎语和建议问题。欢迎语问候用户，说出智能体的名称和它能帮什么忙，不超过六十个字；建议问题是用户最可能问它的三个问题，具体、各不相同，每个不超过二十五个字。',
  '只输出一个 JSON 对象，例如 {"welcome_message": "…", "suggest_messages": ["…", "…", "…"]}，不要输出别的。',
].join('\n')

/**
 * Generates a system prompt for an agent of this name and description: a model writes its role, the rules are the default ones.
 * Returns the default prompt where only the demonstration model is there, or the text cannot be used. Throws AppError as
 * Runs.create, or with the run's failure.
 */
export async function generateSystemPrompt(
  deps: WritingDeps,
  owner: Owner,
  agent: Described,
): Promise<string> {
  const { text: reply } = await write(deps, owner, toOrder(agent, ROLE_INSTRUCTION))
  const role = reply
    .trim()
    .replace(/^```\w*\n|\n```$/g, '')
    .trim()
  const isUsable = role.length >= 10 && role.length <= MAX_ROLE_CHARS
  return isUsable ? createDefaultSystemPrompt(agent, role) : createDefaultSystemPrompt(agent)
}

/** Generates a greeting and questions to begin with, likewise. */
export async function generateSamplePrompts(
  deps: WritingDeps,
  owner: Owner,
  agent: Described,
): Promise<SamplePrompts> {
  const { text } = await write(deps, owner, toOrder(agent, SAMPLE_INSTRUCTION))
  const reply = parseJsonObject(/\{[^]*\}/.exec(text)?.[0] ?? '')
  const welcome = asString(reply?.['welcome_message']).trim()
  const suggestions = parseSuggestions(reply?.['suggest_messages'])
  return {
    welcome_message: welcome && welcome.length <= MAX_WELCOME_CHARS ? welcome : createDefaultWelcome(agent),
    suggest_messages: suggestions.length ? suggestions : [...DEFAULT_SUGGEST_PROMPTS],
  }
}

function parseSuggestions(list: unknown): string[] {
  const texts = (Array.isArray(list) ? list : [])
    .filter((one): one is string => typeof one === 'string')
    .map((one) => one.replace(/\s+/g, ' ').trim())
    .filter((one) => one && one.length <= MAX_SUGGESTION_CHARS)
  return [...new Set(texts)].slice(0, MAX_SUGGESTIONS)
}

const toOrder = ({ name, desc, model }: Described, instruction: string) => ({
  instruction,
  material: `名称：${name}\n介绍：${desc || '（没有填写）'}`,
  model,
})
