import { createHash } from 'node:crypto'
import type { Db } from '#server/core/database/database.ts'
import type { GatewayKey } from '#server/accounts/keys/keys.ts'
import { parseToolArguments } from '#server/llm/llm.ts'
import type { PromptMessage, Reasoning, ToolCall } from '#server/llm/llm.ts'
import type { SettledRun } from '#server/runs/runs.ts'
import type { CompletionHook } from './completion-hooks.ts'
import * as store from './store.ts'

// Some platforms refuse a tool call without the reasoning that came before it, and most clients drop that. It is remembered for a
// day by the account and the call, and put back where a client leaves it out.

/** Most calls of one prompt that are looked up, the latest ones. */
const MAX_CALLS = 500
/** Longest reasoning that is kept, characters. */
const MAX_CHARS = 1_000_000

type AssistantMessage = Extract<PromptMessage, { role: 'assistant' }>
/** `signatures` belong to the message's calls, in their order; null where a call has none. */
type RememberedReasoning = { reasoning?: Reasoning; signatures?: (string | null)[] }

/** Remembers the reasoning before the calls of an answer, under the first of them. */
export const createReasoningHook =
  ({ account_id, user_id }: Pick<GatewayKey, 'account_id' | 'user_id'>): CompletionHook =>
  async (tx, { result: { response } }) => {
    const [first] = response.tool_calls
    if (!first) return
    const callKey = hashCall(first)
    const reasoning = toRemembered(response)
    // An earlier call with the same id had a reasoning of its own, which must not stay.
    if (!reasoning || reasoning.length > MAX_CHARS) await store.deleteReasoning(tx, account_id, callKey)
    else await store.upsertReasoning(tx, { account_id, user_id, call_key: callKey, reasoning })
  }

/**
 * Returns the messages with the remembered reasoning before their calls, where the client left it out, and with the signatures of
 * the calls, which no client sends back.
 */
export async function recallReasoning(
  db: Db,
  { account_id, messages, hasSignedCalls }: RecallOptions,
): Promise<PromptMessage[]> {
  const calling = messages.filter(isCalling).slice(-MAX_CALLS)
  const bare = hasSignedCalls ? calling : calling.filter(({ reasoning }) => !reasoning)
  if (!bare.length) return messages
  const keys = new Map(bare.map((message) => [message, hashCall(message.tool_calls[0]!)]))
  const reasoningByKey = await store.listReasoning(db, account_id, [...new Set(keys.values())])
  if (!reasoningByKey.size) return messages
  return messages.map((message) => {
    const remembered = reasoningByKey.get(keys.get(message as CallingMessage) ?? '')
    return remembered ? withRemembered(message as CallingMessage, remembered) : message
  })
}

type CallingMessage = AssistantMessage & { tool_calls: ToolCall[] }

type RecallOptions = {
  account_id: string
  messages: PromptMessage[]
  /** A platform that serves the model signs calls. */
  hasSignedCalls: boolean
}

const isCalling = (message: PromptMessage): message is CallingMessage =>
  message.role === 'assistant' && Boolean(message.tool_calls?.length)

function withRemembered(message: CallingMessage, remembered: string): PromptMessage {
  const { reasoning, signatures = [] } = JSON.parse(remembered) as RememberedReasoning
  const toolCalls = message.tool_calls.map((call, index) => {
    const signature = signatures[index]
    return signature ? { ...call, signature } : call
  })
  return { ...message, tool_calls: toolCalls, ...(reasoning && !message.reasoning ? { reasoning } : {}) }
}

/** Null for an answer without reported reasoning and signatures. */
function toRemembered({
  reasoning: text,
  reasoning_blocks = [],
  tool_calls,
}: SettledRun['result']['response']): string | null {
  const signatures = tool_calls.map(({ signature }) => signature ?? null)
  const isSigned = signatures.some(Boolean)
  if (!text && !reasoning_blocks.length && !isSigned) return null
  const signed = reasoning_blocks.map(({ text: piece, signature, redacted }) => ({
    text: piece,
    signature,
    ...(redacted ? { redacted } : {}),
  }))
  const reasoning = { text, ...(signed.length ? { signed } : {}) }
  const remembered: RememberedReasoning = {
    ...(text || signed.length ? { reasoning } : {}),
    ...(isSigned ? { signatures } : {}),
  }
  return JSON.stringify(remembered)
}

/** A random id belongs to one call. Other ids are the tool's name and a number, the same in each conversation. */
const RANDOM_ID = /^[a-zA-Z]+[_-][\w-]{16,}$/

/**
 * Hashes the parts of a call that clients repeat: its id and name and, unless the id is random, the arguments, which clients
 * write anew, but with the same members in the same order.
 */
function hashCall(call: ToolCall): string {
  const { id, name } = call
  const repeated = JSON.stringify(
    RANDOM_ID.test(id) && !id.includes(name) ? [id, name] : [id, name, parseToolArguments(call)],
  )
  return createHash('sha256').update(repeated).digest('base64url')
}
