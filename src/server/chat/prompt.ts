import type { ChatSetting } from '#contract/users.ts'
import type { PromptMessage } from '../llm/chat.ts'
import { estimateTokens } from '../llm/estimate.ts'
import type { MessageRow } from './store.ts'

/** How much of a model's context may go to the conversation so far, in percent: the rest is for the answer. */
const CONTEXT_SHARE = 75

/** What asks a model to go on with an answer that broke off. */
const GO_ON = '请从上面中断的地方直接接着写：不要重复已经写过的内容，不要另起开头，也不要解释。'

/** What a person wants every conversation to know, as words to the model; empty where it is switched off. */
export function personalText(setting: ChatSetting | null): string {
  if (!setting?.enabled) return ''
  const { self_intro, reply_style } = setting
  return [
    self_intro && `用户的自我介绍：\n${self_intro}`,
    reply_style && `用户希望的回答风格：\n${reply_style}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** What stands before a conversation: what its person wants of all of them, then what was set for this one. */
export const systemText = (...texts: string[]): string => texts.filter((text) => text.trim()).join('\n\n')

/**
 * The prompt of a turn: the system text where there is one, as many of the latest whole turns as fit the model's context
 * (tokens), and the question; of an answer that goes on also what it has said. `history` is newest first. Answers that said nothing are left out together with their
 * questions. `reserved` is room for what is added later, tokens.
 */
export function buildPrompt(
  { question, begun }: { question: string; begun: string },
  history: MessageRow[],
  model: { id: string; context_window: number },
  { system = '', reserved = 0 }: { system?: string; reserved?: number } = {},
): PromptMessage[] {
  let room =
    (model.context_window * CONTEXT_SHARE) / 100 -
    estimateTokens(question + begun, model.id) -
    estimateTokens(system, model.id) -
    reserved
  const messages: PromptMessage[] = [{ role: 'user', content: question }]
  if (begun) messages.push({ role: 'assistant', content: begun }, { role: 'user', content: GO_ON })
  for (const [asked, answered] of turnsOf(history)) {
    room -= estimateTokens(asked.text, model.id) + estimateTokens(answered.text, model.id)
    if (room < 0) break
    messages.unshift({ role: 'user', content: asked.text }, { role: 'assistant', content: answered.text })
  }
  if (system) messages.unshift({ role: 'system', content: system })
  return messages
}

function* turnsOf(history: MessageRow[]): Generator<[asked: MessageRow, answered: MessageRow]> {
  const answers = new Map(
    history.filter(({ role, text }) => role === 'ai' && text).map((row) => [row.chat_id, row]),
  )
  for (const row of history) {
    const answered = answers.get(row.chat_id)
    if (row.role === 'human' && row.text && answered) yield [row, answered]
  }
}

const TITLE_CHARS = 30

/** A session's title from its first question: one line, cut at a whole character. */
export function titleOf(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim()
  const characters = [...new Intl.Segmenter('zh', { granularity: 'grapheme' }).segment(line.slice(0, 400))]
  const title = characters.slice(0, TITLE_CHARS).map(({ segment }) => segment)
  return (characters.length > TITLE_CHARS ? `${title.join('')}…` : title.join('')) || '新对话'
}
