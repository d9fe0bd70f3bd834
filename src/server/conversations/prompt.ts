import { estimateTokens, getContentText } from '#server/llm/llm.ts'
import type { ContentPart, PromptMessage } from '#server/llm/llm.ts'
import type { MessageRow } from './messages/store.ts'

/** Percentage of a model's context for the conversation so far; the rest is for the answer. */
const CONTEXT_SHARE = 75

/** Asks a model to continue an answer that broke off. */
const CONTINUE_INSTRUCTION =
  '请从上面中断的地方直接接着写：不要重复已经写过的内容，不要另起开头，也不要解释。'

type PromptParts = {
  question: string
  /** Text so far of an answer to continue; else empty. */
  partial_answer: string
  /** Newest first. */
  history: MessageRow[]
  /** The lane whose conversation it is, of answers side by side; empty if a question has one answer. */
  lane: string
  model: { id: string; context_window: number }
  system: string
  /** Room for later additions, tokens. */
  reserved_tokens: number
}

/**
 * Builds the prompt of a turn: the system text if there is one, as many of the latest whole turns as fit the model's context, and
 * the question. Questions without an answer are left out.
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
 * Pairs questions with their answers, newest first. From answers side by side it takes those of one lane, from its first one on:
 * the lane was not asked the other questions. Before that, the first answer that came to its end stands for the turn.
 */
function* pairTurns(
  newestFirst: MessageRow[],
  lane: string,
): Generator<[question: MessageRow, answer: MessageRow]> {
  const laneAnswers = new Map<string, MessageRow>()
  const otherAnswers = new Map<string, MessageRow>()
  for (const row of newestFirst) {
    if (row.role !== 'ai' || !row.text) continue
    if (row.lane === lane) laneAnswers.set(row.chat_id, row)
    else if (row.status === 'done') otherAnswers.set(row.chat_id, row)
  }
  const first = [...laneAnswers.keys()].at(-1)
  for (const row of newestFirst) {
    const isBefore = first === undefined || row.chat_id < first
    const answer = laneAnswers.get(row.chat_id) ?? (isBefore ? otherAnswers.get(row.chat_id) : undefined)
    if (row.role === 'human' && row.text && answer) yield [row, answer]
  }
}

/** Puts material before the question at the end of a prompt; a partial answer to continue stays behind it. */
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
    const questionText = [text, getContentText(message.content)].filter(Boolean).join('\n\n问题：')
    return {
      ...message,
      content: pictures.length ? [...pictures, { type: 'text', text: questionText }] : questionText,
    }
  })
}
