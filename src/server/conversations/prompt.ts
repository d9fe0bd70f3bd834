import { estimateTokens, getContentText } from '#server/llm/llm.ts'
import type { ContentPart, PromptMessage } from '#server/llm/llm.ts'
import type { MessageRow } from './messages/store.ts'

/** How much of a model's context may go to the conversation so far, in percent: the rest is for the answer. */
const CONTEXT_SHARE = 75

/** What asks a model to go on with an answer that broke off. */
const CONTINUE_INSTRUCTION =
  '请从上面中断的地方直接接着写：不要重复已经写过的内容，不要另起开头，也不要解释。'

type PromptParts = {
  question: string
  /** Of an answer that goes on: what it has written. */
  partial_answer: string
  /** Newest first. */
  history: MessageRow[]
  /** Of answers side by side, whose conversation it is; empty where there is one answer to a question. */
  lane: string
  model: { id: string; context_window: number }
  system: string
  /** Room for what is added later, tokens. */
  reserved_tokens: number
}

/**
 * The prompt of a turn: the system text where there is one, as many of the latest whole turns as fit the model's context,
 * and the question. Questions without an answer are left out.
 */
export function buildPrompt(parts: PromptParts): PromptMessage[] {
  const { question, partial_answer, history, lane, model, system, reserved_tokens } = parts
  let remaining =
    (model.context_window * CONTEXT_SHARE) / 100 -
    estimateTokens(question + partial_answer, model.id) -
    estimateTokens(system, model.id) -
    reserved_tokens
  const messages: PromptMessage[] = [{ role: 'user', content: question }]
  if (partial_answer)
    messages.push(
      { role: 'assistant', content: partial_answer },
      { role: 'user', content: CONTINUE_INSTRUCTION },
    )
  for (const [questionRow, answerRow] of pairTurns(history, lane)) {
    remaining -= estimateTokens(questionRow.text, model.id) + estimateTokens(answerRow.text, model.id)
    if (remaining < 0) break
    messages.unshift(
      { role: 'user', content: questionRow.text },
      { role: 'assistant', content: answerRow.text },
    )
  }
  if (system) messages.unshift({ role: 'system', content: system })
  return messages
}

/**
 * Questions with their answers, newest first. Of answers side by side those of one lane, from its first one on: it was not
 * asked the others. What was said before it came is told by the first answer that came to its end.
 */
function* pairTurns(
  newestFirst: MessageRow[],
  lane: string,
): Generator<[question: MessageRow, answer: MessageRow]> {
  const own = new Map<string, MessageRow>()
  const others = new Map<string, MessageRow>()
  for (const row of newestFirst) {
    if (row.role !== 'ai' || !row.text) continue
    if (row.lane === lane) own.set(row.chat_id, row)
    else if (row.status === 'done') others.set(row.chat_id, row)
  }
  const first = [...own.keys()].at(-1)
  for (const row of newestFirst) {
    const isBefore = first === undefined || row.chat_id < first
    const answer = own.get(row.chat_id) ?? (isBefore ? others.get(row.chat_id) : undefined)
    if (row.role === 'human' && row.text && answer) yield [row, answer]
  }
}

/** Puts material before the question that a prompt ends with; what is asked to go on stands behind it. */
export function addToQuestion(
  messages: PromptMessage[],
  question: string,
  { text, pictures = [] }: { text: string; pictures?: ContentPart[] },
): PromptMessage[] {
  const at = messages.findLastIndex(
    ({ role, content }) => role === 'user' && getContentText(content).includes(question),
  )
  return messages.map((message, index) => {
    if (index !== at || message.role !== 'user') return message
    const asked = [text, getContentText(message.content)].filter(Boolean).join('\n\n问题：')
    return { ...message, content: pictures.length ? [...pictures, { type: 'text', text: asked }] : asked }
  })
}
