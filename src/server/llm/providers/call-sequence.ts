import type { StreamPart } from '../stream-part.ts'
import { JsonProgress } from './json-progress.ts'
import type { Emit } from './provider.ts'

type ToolCallPart = Extract<StreamPart, { type: 'tool_call' }>

/**
 * Puts the pieces of tool calls that come by turns one call after the other: what comes while a call is under way (another
 * call, a text) is held until its arguments are whole, or the answer ends. A call without arguments is given an empty object.
 */
export class CallSequence {
  #open: { index: number; progress: JsonProgress; hasArguments: boolean } | null = null
  readonly #seen = new Set<number>()
  #held: StreamPart[] = []

  /** Calls were made. */
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

  /** Emits what is still held when nothing more comes. */
  end(emit: Emit): void {
    while (this.#open) {
      const { index, hasArguments } = this.#open
      if (!hasArguments) emit({ type: 'tool_call', index, id: '', name: '', arguments: '{}' })
      this.#release(emit)
    }
  }

  #release(emit: Emit): void {
    this.#open = null
    const held = this.#held
    this.#held = []
    for (const part of held) this.add(part, emit)
  }

  #emitCall(part: ToolCallPart, emit: Emit): void {
    const { index, arguments: text } = part
    // Nothing that comes after whole arguments, once another call has begun, can be a part of them.
    if (!this.#open && this.#seen.has(index)) return
    this.#open ??= { index, progress: new JsonProgress(), hasArguments: false }
    this.#seen.add(index)
    this.#open.progress.append(text)
    this.#open.hasArguments ||= text.trim() !== ''
    emit(part)
  }
}
