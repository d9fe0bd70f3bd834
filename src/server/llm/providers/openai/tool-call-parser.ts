import { createId } from '#server/core/ids.ts'
import { asString, getField, isJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { StreamPart } from '../../stream-part.ts'
import { JsonProgress } from '../json-progress.ts'

type ToolCallPart = Extract<StreamPart, { type: 'tool_call' }>

/** A call as it comes: `given_id` and `given_index` as its pieces have them. What comes before its name is held back. */
type OpenCall = {
  index: number
  id: string
  given_id: string
  given_index: unknown
  name: string
  held: string
  progress: JsonProgress
}
type Piece = Pick<OpenCall, 'given_id' | 'given_index' | 'name'>

/**
 * Parses the pieces of tool calls. Servers differ: some leave out indexes or ids, give several calls one index, repeat id and
 * name with every piece, or send the name after the id. A new id begins a new call, whatever its index; without ids, a name
 * does that after whole arguments.
 */
export function createToolCallParser(): (piece: JsonObject) => ToolCallPart[] {
  const calls: OpenCall[] = []
  const addCall = (piece: Piece): OpenCall => {
    const isTaken = calls.some(({ id }) => id === piece.given_id)
    const call: OpenCall = {
      ...piece,
      index: calls.length,
      id: piece.given_id && !isTaken ? piece.given_id : `call_${createId()}`,
      name: '',
      held: '',
      progress: new JsonProgress(),
    }
    calls.push(call)
    return call
  }
  return (sent) => {
    const piece = {
      given_id: asString(sent['id']),
      given_index: Number.isSafeInteger(sent['index']) ? sent['index'] : undefined,
      name: asString(getField(sent['function'], 'name')),
    }
    const raw = getField(sent['function'], 'arguments')
    const text = isJsonObject(raw) ? JSON.stringify(raw) : asString(raw)
    const call = findCall(calls, piece) ?? addCall(piece)
    call.progress.append(text)
    const { index, id } = call
    if (call.name) return text ? [{ type: 'tool_call', index, id: '', name: '', arguments: text }] : []
    call.held += text
    if (!piece.name) return []
    call.name = piece.name
    return [{ type: 'tool_call', index, id, name: piece.name, arguments: call.held }]
  }
}

/** The call that a piece belongs to; undefined for one that begins a call. */
function findCall(calls: OpenCall[], { given_id, given_index, name }: Piece): OpenCall | undefined {
  const isHere = (call: OpenCall): boolean => given_index === undefined || call.given_index === given_index
  if (given_id) {
    const known = calls.findLast((call) => call.given_id === given_id && isHere(call))
    if (known) return known
  }
  const open = calls.findLast(isHere)
  if (!open) return undefined
  if (given_id) {
    // An id that comes after the beginning of its call.
    if (open.given_id || (name && open.name)) return undefined
    open.given_id = given_id
    if (!open.name) open.id = given_id
    return open
  }
  const isOther = name && open.name && (open.progress.isWhole || name !== open.name)
  return isOther ? undefined : open
}
