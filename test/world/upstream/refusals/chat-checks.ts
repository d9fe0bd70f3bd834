import { findFirst, readList, readObject, readText, readTexts } from './rule.ts'
import type { Body } from './rule.ts'

/** Checks that platforms of chat completions have in common: each finds the place of a possible refusal. */

type Call = { id: string; name: string; arguments: unknown }
/** A call in the history: number `position` in message `index`. */
export type PlacedCall = Call & { index: number; position: number }
export type DeclaredTool = { index: number; name: string; parameters: unknown }

export const listMessages = (body: Body): Body[] => readList(body.messages)

export const listCalls = (message: Body): Call[] =>
  readList(message.tool_calls).map((call) => {
    const { name, arguments: text } = readObject(call.function)
    return { id: readText(call.id), name: readText(name), arguments: text }
  })

export const listTools = (body: Body): DeclaredTool[] =>
  readList(body.tools).map((tool, index) => {
    const { name, parameters } = readObject(tool.function)
    return { index, name: readText(name), parameters }
  })

const isSystem = ({ role }: Body): boolean => role === 'system' || role === 'developer'

/** Finds a system message that is not the first message, even if it is the second. */
export const findLateSystem = (body: Body): { index: number } | null =>
  findFirst(listMessages(body), (message, index) => (index && isSystem(message) ? { index } : null))

/** Finds a message with calls, and those calls whose results do not follow directly. */
export function findUnansweredCalls(body: Body): { index: number; ids: string[] } | null {
  const messages = listMessages(body)
  return findFirst(messages, (message, index) => {
    const answered = new Set<string>()
    for (const next of messages.slice(index + 1)) {
      if (next.role !== 'tool') break
      answered.add(readText(next.tool_call_id))
    }
    const ids = listCalls(message).flatMap(({ id }) => (answered.has(id) ? [] : id))
    return ids.length ? { index, ids } : null
  })
}

/** Finds a result without a message with its call above. */
export function findStrayResult(body: Body): { index: number; id: string; follows_calls: boolean } | null {
  let calls: Call[] = []
  return findFirst(listMessages(body), (message, index) => {
    if (message.role !== 'tool') {
      calls = listCalls(message)
      return null
    }
    const id = readText(message.tool_call_id)
    return calls.some((call) => call.id === id) ? null : { index, id, follows_calls: calls.length > 0 }
  })
}

/** Finds the first call of the history that passes `test`. */
export const findCall = (body: Body, test: (call: Call) => boolean): PlacedCall | null =>
  findFirst(listMessages(body), (message, index) =>
    findFirst(listCalls(message), (call, position) => (test(call) ? { ...call, index, position } : null)),
  )

/** Finds the first tool that passes `test`. */
export const findTool = (body: Body, test: (tool: DeclaredTool) => boolean): DeclaredTool | null =>
  listTools(body).find(test) ?? null

/** Finds a tool with the name of an earlier one. */
export const findDuplicateTool = (body: Body): DeclaredTool | null =>
  findTool(body, ({ index, name }) => listTools(body).findIndex((one) => one.name === name) < index)

/** Returns a parser's error for a text of arguments that is no JSON; null for an object. */
export function findArgumentsError(text: unknown): string | null {
  if (typeof text !== 'string') return text === undefined ? 'Expecting value: line 1 column 1 (char 0)' : null
  if (!text) return 'Expecting value: line 1 column 1 (char 0)'
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'not an object'
  } catch {
    return `Unterminated string starting at: line 1 column ${text.length} (char ${text.length - 1})`
  }
}

/** Finds a field about calling tools in a request without tools. */
export const findChoiceWithoutTools = (body: Body): 'tool_choice' | 'parallel_tool_calls' | null => {
  if (listTools(body).length) return null
  if (body.tool_choice !== undefined && body.tool_choice !== null) return 'tool_choice'
  return body.parallel_tool_calls === undefined || body.parallel_tool_calls === null
    ? null
    : 'parallel_tool_calls'
}

/** Finds a keyword of JSON Schema that joins schemas, at the top of a tool's schema. */
export const findTopCombinator = (parameters: unknown, keywords: string[]): string | null =>
  keywords.find((keyword) => keyword in readObject(parameters)) ?? null

export const hasEmptyStop = (body: Body): boolean => readTexts(body.stop).includes('')

/** Finds the first message of the assistant with calls but without a thought: without the field, or with an empty text. */
export const findThoughtlessCalls = (
  body: Body,
  { isEmptyMissing }: { isEmptyMissing: boolean },
): { index: number } | null =>
  findFirst(listMessages(body), (message, index) => {
    const thought = message.reasoning_content
    const isMissing = typeof thought !== 'string' || (isEmptyMissing && !thought)
    return message.role === 'assistant' && listCalls(message).length && isMissing ? { index } : null
  })

/** Estimates the tokens of a request by its characters: one and a half Chinese ones to a token, four others. */
export function estimateTokens(body: Body): number {
  const text = JSON.stringify([body.messages, body.tools ?? []])
  const chinese = text.match(/[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/g)?.length ?? 0
  return Math.ceil(chinese / 1.5 + (text.length - chinese) / 4)
}

/** Tells whether a model thinks that does so unless told not to. */
export const isThinking = (body: Body): boolean => readObject(body.thinking).type !== 'disabled'

/** Tells whether the model must call a tool. */
export const isForced = ({ tool_choice }: Body): boolean =>
  tool_choice === 'required' || Object.keys(readObject(tool_choice)).length > 0

export const hasLongName = (body: Body): boolean => findTool(body, ({ name }) => name.length > 64) !== null

/** Finds a message of the role that only OpenAI knows. */
export const findDeveloper = (body: Body): { index: number } | null =>
  findFirst(listMessages(body), ({ role }, index) => (role === 'developer' ? { index } : null))

/** Finds a message without text and calls. */
export const findEmptyMessage = (body: Body): { index: number; role: string; content: unknown } | null =>
  findFirst(listMessages(body), (message, index) => {
    const { role, content } = message
    const isEmpty = !content || (Array.isArray(content) && !content.length)
    return isEmpty && !listCalls(message).length && role !== 'tool'
      ? { index, role: readText(role), content }
      : null
  })
