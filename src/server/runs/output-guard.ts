import { TextBuffer } from '#server/core/text-buffer.ts'
import type { StreamPart } from '#server/llm/llm.ts'
import type { RunText } from './result.ts'

/** Reads a text as it is produced, before anybody else. */
export type TextFilter = {
  /** Returns the text that may be shown, of this piece and of the text held back before; nothing more once blocked. */
  push(text: string): string
  /** Returns the text still held back, at the end. */
  flush(): string
  /** The text contained something that must not be shown. */
  readonly blocked: boolean
}

/** Stands between a model and its readers, where a feature asks for it. */
export type OutputGuard = {
  /** Makes a filter for one text from its beginning: the answer, the reasoning, each whole text from a platform. */
  createFilter: () => TextFilter
  /** Ends a blocked answer. */
  notice: string
  /** Replaces the rest of a blocked reasoning; the answer goes on. */
  reasoning_notice: string
}

export type GuardedOutput = ReturnType<typeof createGuardedOutput>

/**
 * Passes on the text and reasoning that the guard lets through. It cannot check parts of other kinds, and drops them. A blocked
 * answer ends, and `signal` aborts so that the platform is read no further.
 */
export function createGuardedOutput({ createFilter, notice, reasoning_notice }: OutputGuard) {
  const stopped = new AbortController()
  const produced = { text: new TextBuffer(), reasoning: new TextBuffer() }
  const reasoning = createFilter()
  let text = createFilter()

  const endIfBlocked = (part: StreamPart): StreamPart[] => {
    const parts = 'text' in part && part.text ? [part] : []
    if (!text.blocked) return parts
    stopped.abort()
    return [...parts, { type: 'delta', text: notice }, { type: 'finish', reason: 'content_filter' }]
  }
  const pushReasoning = (added: string): StreamPart[] => {
    if (reasoning.blocked) return []
    const shownText = reasoning.push(added) + (reasoning.blocked ? reasoning_notice : '')
    return shownText ? [{ type: 'reasoning', text: shownText }] : []
  }

  return {
    signal: stopped.signal,

    /** Returns the parts that replace a part. */
    filter(part: StreamPart): StreamPart[] {
      if (part.type === 'usage' || part.type === 'usage_flagged') return [part]
      if (stopped.signal.aborted) return []
      if (part.type === 'finish') return [part]
      if (part.type === 'reasoning') {
        produced.reasoning.append(part.text)
        return pushReasoning(part.text)
      }
      if (part.type === 'delta') {
        produced.text.append(part.text)
        return endIfBlocked({ type: 'delta', text: text.push(part.text) })
      }
      if (part.type !== 'replace') return []
      produced.text.replace(part.text)
      text = createFilter()
      return endIfBlocked({ type: 'replace', text: text.push(part.text) })
    },

    /** Returns the text held back, at the end. */
    end(): StreamPart[] {
      const rest: StreamPart[] = [
        { type: 'reasoning', text: reasoning.flush() },
        { type: 'delta', text: text.flush() },
      ]
      return rest.filter((part) => 'text' in part && part.text !== '')
    },

    /** The platform's whole output, shown or not: this is what is paid. */
    get produced(): RunText {
      return { text: produced.text.text, reasoning: produced.reasoning.text }
    },
  }
}
