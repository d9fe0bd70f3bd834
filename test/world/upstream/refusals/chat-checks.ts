import { findFirst, readList, readObject, readText, readTexts } from './rule.ts'
import type { Body } from './rule.ts'

/** Chat completions have these in common, whoever serves them: where something stands that a platform may refuse. */

type Call = { id: string; name: string; arguments: unknown }
/** A call in the history: of message `index` the one at `position`. */
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

/** A system message that is not the first message: the second one at the beginning as well. */
export const findLateSystem = (body: Body): { index: number } | null =>
  findFirst(listMessages(body), (message, index) => (index && isSystem(message) ? { index } : null))

/** A message with calls, and those of them whose results do not follow directly. */
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

/** A result that stands below no message with its call. */
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

/** The first call of the history that `test` is true of. */
export const findCall = (body: Body, test: (call: Call) => boolean): PlacedCall | null =>
  findFirst(listMessages(body), (message, index) =>
    findFirst(listCalls(message), (call, position) => (test(call) ? { ...call, index, position } : null)),
  )

/** The first tool that `test` is true of. */
export const findTool = (body: Body, test: (tool: DeclaredTool) => boolean): DeclaredTool | null =>
  listTools(body).find(test) ?? null

/** A tool whose name an earlier one has. */
export const findDuplicateTool = (body: Body): DeclaredTool | null =>
  findTool(body, ({ index, name }) => listTools(body).findIndex((one) => one.name === name) < index)

/** Why a text of arguments is no JSON, as a parser says it; null where it is an object. */
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

/** Fields that say how tools are called where there are none. */
export const findChoiceWithoutTools = (body: Body): 'tool_choice' | 'parallel_tool_calls' | null => {
  if (listTools(body).length) return null
  if (body.tool_choice !== undefined && body.tool_choice !== null) return 'tool_choice'
  return body.parallel_tool_calls === undefined || body.parallel_tool_calls === null
    ? null
    : 'parallel_tool_calls'
}

/** The keywords of JSON Schema that join schemas, at the top of a tool's. */
export const findTopCombinator = (parameters: unknown, keywords: string[]): string | null =>
  keywords.find((keyword) => keyword in readObject(parameters)) ?? null

export const hasEmptyStop = (body: Body): boolean => readTexts(body.stop).includes('')

/** The first message of the assistant with calls but without a thought: without the field, or with an empty text. */
export const findThoughtlessCalls = (
  body: Body,
  { isEmptyMissing }: { isEmptyMissing: boolean },
): { index: number } | null =>
  findFirst(listMessages(body), (message, index) => {
    const thought = message.reasoning_content
    const isMissing = typeof thought !== 'string' || (isEmptyMissing && !thought)
    return message.role === 'assistant' && listCalls(message).length && isMissing ? { index } : null
  })

/** Tokens of all that is asked, by its characters: those of Chinese one and a half to a token, others four. */
export function estimateTokens(body: Body): number {
  const text = JSON.stringify([body.messages, body.tools ?? []])
  const chinese = text.match(/[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/g)?.length ?? 0
  return Math.ceil(chinese / 1.5 + (text.length - chinese) / 4)
}

/** Thinking of models that think unless they are told not to. */
export const isThinking = (body: Body): boolean => readObject(body.thinking).type !== 'disabled'

/** The call has to be of a tool. */
export const isForced = ({ tool_choice }: Body): boolean =>
  tool_choice === 'required' || Object.keys(readObject(tool_choice)).length > 0

export const hasLongName = (body: Body): boolean => findTool(body, ({ name }) => name.length > 64) !== null

/** A message of the role that only OpenAI knows. */
export const findDeveloper = (body: Body): { index: number } | null =>
  findFirst(listMessages(body), ({ role }, index) => (role === 'developer' ? { index } : null))

/** A message that says nothing: no text and no call. */
export const findEmptyMessage = (body: Body): { index: number; role: string; content: unknown } | null =>
  findFirst(listMessages(body), (message, index) => {
    const { role, content } = message
    const isEmpty = !content || (Array.isArray(content) && !content.length)
    return isEmpty && !listCalls(message).length && role !== 'tool'
      ? { index, role: readText(role), content }
      : null
  })
