import { TextBuffer } from '#server/core/text-buffer.ts'
import type { StreamPart } from '#server/llm/llm.ts'
import type { RunText } from './result.ts'

/** Reads a text as it is produced, ahead of everybody else. */
export type TextFilter = {
  /** What may be shown: of this text, and of what was held back before it. Nothing more once it is blocked. */
  push(text: string): string
  /** What is still held back, when nothing more comes. */
  flush(): string
  /** It came to what must not be shown. */
  readonly blocked: boolean
}

/** What stands between a model and its readers, where a feature asks for it. */
export type OutputGuard = {
  /** For a text from its beginning: the answer, the reasoning, and each whole text of a platform that sends them so. */
  createFilter: () => TextFilter
  /** Ends an answer that is blocked. */
  notice: string
  /** In place of the rest of a reasoning that is blocked; the answer goes on. */
  reasoning_notice: string
}

export type GuardedOutput = ReturnType<typeof createGuardedOutput>

/**
 * Passes on of a stream what its guard lets through: text and reasoning. Parts of other kinds cannot be looked through and
 * are dropped. When the answer is blocked it ends, and `signal` aborts so that the platform is not read any further.
 */
export function createGuardedOutput({ createFilter, notice, reasoning_notice }: OutputGuard) {
  const stopped = new AbortController()
  const produced = { text: new TextBuffer(), reasoning: new TextBuffer() }
  const reasoning = createFilter()
  let text = createFilter()

  const endIfBlocked = (shown: StreamPart): StreamPart[] => {
    const parts = 'text' in shown && shown.text ? [shown] : []
    if (!text.blocked) return parts
    stopped.abort()
    return [...parts, { type: 'delta', text: notice }, { type: 'finish', reason: 'content_filter' }]
  }
  const pushReasoning = (added: string): StreamPart[] => {
    if (reasoning.blocked) return []
    const shown = reasoning.push(added) + (reasoning.blocked ? reasoning_notice : '')
    return shown ? [{ type: 'reasoning', text: shown }] : []
  }

  return {
    signal: stopped.signal,

    /** What takes the place of a part. */
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

    /** What was held back, when nothing more comes. */
    end(): StreamPart[] {
      const rest: StreamPart[] = [
        { type: 'reasoning', text: reasoning.flush() },
        { type: 'delta', text: text.flush() },
      ]
      return rest.filter((part) => 'text' in part && part.text !== '')
    },

    /** What the platform wrote, shown or not: it is what is paid. */
    get produced(): RunText {
      return { text: produced.text.text, reasoning: produced.reasoning.text }
    },
  }
}
