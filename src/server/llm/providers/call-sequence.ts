import type { StreamPart } from '../stream-part.ts'
import { JsonProgress } from './json-progress.ts'
import type { Emit } from './provider.ts'

type ToolCallPart = Extract<StreamPart, { type: 'tool_call' }>

/**
 * Puts interleaved pieces of tool calls one call after the other: a part that comes while a call is under way (of another call, a
 * text) is held until that call's arguments are whole, or the answer ends. A call without arguments gets an empty object.
 */
export class CallSequence {
  #open: { index: number; progress: JsonProgress; hasArguments: boolean } | null = null
  readonly #seen = new Set<number>()
  #held: StreamPart[] = []

  /** At least one call has begun. */
  get hasCalls(): boolean {
    return this.#seen.size > 0
  }

  add(part: StreamPart, emit: Emit): void {
    if (this.#open && !(part.type === 'tool_call' && part.index === this.#open.index)) {
      if (!this.#open.progress.isWhole) return void this.#held.push(part)
      this.#open = null
    }
    if (part.type !== 'tool_call') return emit(part)
    this.#emitCall(part, emit)
    if (this.#open?.progress.isWhole && this.#held.length) this.#release(emit)
  }

  /** Emits the parts still held when nothing more comes. */
  end(emit: Emit): void {
    while (this.#open) {
      const { index, hasArguments } = this.#open
      if (!hasArguments) emit({ type: 'tool_call', index, id: '', name: '', arguments: '{}' })
      this.#release(emit)
    }
  }

  #release(emit: Emit): void {
    this.#open = null
    const heldParts = this.#held
    this.#held = []
    for (const part of heldParts) this.add(part, emit)
  }

  #emitCall(part: ToolCallPart, emit: Emit): void {
    const { index, arguments: text } = part
    // Once its arguments are whole and another call has begun, later pieces cannot be a part of a call.
    if (!this.#open && this.#seen.has(index)) return
    this.#open ??= { index, progress: new JsonProgress(), hasArguments: false }
    this.#seen.add(index)
    this.#open.progress.append(text)
    this.#open.hasArguments ||= text.trim() !== ''
    emit(part)
  }
}
