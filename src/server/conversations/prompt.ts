import type { ChatSetting } from '#contract/users.ts'
import { estimateTokens } from '#server/llm/llm.ts'
import type { PromptMessage } from '#server/llm/llm.ts'
import type { MessageRow } from './store.ts'

/** How much of a model's context may go to the conversation so far, in percent: the rest is for the answer. */
const CONTEXT_SHARE = 75

/** What asks a model to go on with an answer that broke off. */
const CONTINUE_INSTRUCTION =
  '请从上面中断的地方直接接着写：不要重复已经写过的内容，不要另起开头，也不要解释。'

/** What a person wants every conversation to know, as words to the model; empty where it is switched off. */
export function buildPersonalText(setting: ChatSetting | null): string {
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
export const joinSystemTexts = (...texts: string[]): string =>
  texts.filter((text) => text.trim()).join('\n\n')

/**
 * The prompt of a turn: the system text where there is one, as many of the latest whole turns as fit the model's context
 * (tokens), and the question; of an answer that goes on also what it has said. `history` is newest first. Answers that said nothing are left out together with their
 * questions. `reserved` is room for what is added later, tokens.
 */
export function buildPrompt(
  { question, begun: partial_answer }: { question: string; begun: string },
  history: MessageRow[],
  model: { id: string; context_window: number },
  { system = '', reserved = 0 }: { system?: string; reserved?: number } = {},
): PromptMessage[] {
  let remaining =
    (model.context_window * CONTEXT_SHARE) / 100 -
    estimateTokens(question + partial_answer, model.id) -
    estimateTokens(system, model.id) -
    reserved
  const messages: PromptMessage[] = [{ role: 'user', content: question }]
  if (partial_answer)
    messages.push(
      { role: 'assistant', content: partial_answer },
      { role: 'user', content: CONTINUE_INSTRUCTION },
    )
  for (const [question_row, answer_row] of pairTurns(history)) {
    remaining -= estimateTokens(question_row.text, model.id) + estimateTokens(answer_row.text, model.id)
    if (remaining < 0) break
    messages.unshift(
      { role: 'user', content: question_row.text },
      { role: 'assistant', content: answer_row.text },
    )
  }
  if (system) messages.unshift({ role: 'system', content: system })
  return messages
}

function* pairTurns(history: MessageRow[]): Generator<[asked: MessageRow, answered: MessageRow]> {
  const answers = new Map(
    history.filter(({ role, text }) => role === 'ai' && text).map((row) => [row.chat_id, row]),
  )
  for (const row of history) {
    const answer = answers.get(row.chat_id)
    if (row.role === 'human' && row.text && answer) yield [row, answer]
  }
}

const MAX_TITLE_CHARS = 30

/** A session's title from its first question: one line, cut at a whole character. */
export function deriveTitle(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim()
  const characters = [...new Intl.Segmenter('zh', { granularity: 'grapheme' }).segment(line.slice(0, 400))]
  const title = characters.slice(0, MAX_TITLE_CHARS).map(({ segment }) => segment)
  return (characters.length > MAX_TITLE_CHARS ? `${title.join('')}…` : title.join('')) || '新对话'
}
