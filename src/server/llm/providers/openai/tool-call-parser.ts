import { createId } from '#server/core/ids.ts'
import { asString, getField, isJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { StreamPart } from '../../stream-part.ts'
import { JsonProgress } from '../json-progress.ts'

type ToolCallPart = Extract<StreamPart, { type: 'tool_call' }>

/** A call under way: `givenId` and `givenIndex` as its pieces have them. Arguments that come before its name are held back. */
type OpenCall = {
  index: number
  id: string
  givenId: string
  givenIndex: unknown
  name: string
  arguments: string
  progress: JsonProgress
}
type Piece = Pick<OpenCall, 'givenId' | 'givenIndex' | 'name'>

/**
 * Parses the pieces of tool calls. Servers differ: some leave out indexes or ids, give several calls one index, repeat id and
 * name with every piece, or send the name after the id. A new id begins a new call, whatever its index; without ids, a name
 * begins one if the arguments before it are whole.
 */
export function createToolCallParser(): (piece: JsonObject) => ToolCallPart[] {
  const calls: OpenCall[] = []
  const addCall = (piece: Piece): OpenCall => {
    const isTaken = calls.some(({ id }) => id === piece.givenId)
    const call: OpenCall = {
      ...piece,
      index: calls.length,
      id: piece.givenId && !isTaken ? piece.givenId : `call_${createId()}`,
      name: '',
      arguments: '',
      progress: new JsonProgress(),
    }
    calls.push(call)
    return call
  }
  return (delta) => {
    const piece = {
      givenId: asString(delta['id']),
      givenIndex: Number.isSafeInteger(delta['index']) ? delta['index'] : undefined,
      name: asString(getField(delta['function'], 'name')),
    }
    const raw = getField(delta['function'], 'arguments')
    const text = isJsonObject(raw) ? JSON.stringify(raw) : asString(raw)
    const call = findCall(calls, piece) ?? addCall(piece)
    // Only a call without an id ends with its arguments.
    if (!call.givenId) call.progress.append(text)
    const { index, id } = call
    if (call.name) return text ? [{ type: 'tool_call', index, id: '', name: '', arguments: text }] : []
    call.arguments += text
    if (!piece.name) return []
    call.name = piece.name
    return [{ type: 'tool_call', index, id, name: piece.name, arguments: call.arguments }]
  }
}

/** Finds the call that a piece belongs to; undefined for a piece that begins a call. */
function findCall(calls: OpenCall[], { givenId, givenIndex, name }: Piece): OpenCall | undefined {
  const isHere = (call: OpenCall): boolean => givenIndex === undefined || call.givenIndex === givenIndex
  if (givenId) {
    const match = calls.findLast((call) => call.givenId === givenId && isHere(call))
    if (match) return match
  }
  const open = calls.findLast(isHere)
  if (!open) return undefined
  if (givenId) {
    // The id comes after the beginning of its call.
    if (open.givenId || (name && open.name)) return undefined
    open.givenId = givenId
    if (!open.name) open.id = givenId
    return open
  }
  const isOther = name && open.name && (open.progress.isWhole || name !== open.name)
  return isOther ? undefined : open
}
