import type { ErrorCode } from '#contract/errors.ts'
import { errors } from '#contract/errors.ts'
import type { ResponseAnswer, ResponseItem } from '#contract/responses.ts'
import type { Increment } from '../increments.ts'
import type { Writer } from '../shape.ts'
import { endOf, itemOf, kindOf, reasonOf, summaryPart, textPart } from './response.ts'
import type { Head, Kind } from './response.ts'

/** The names of the events that write an item, and which of its parts they mean. */
const NAMES = {
  message: { text: 'response.output_text', part: 'response.content_part', at: { content_index: 0 } },
  reasoning: {
    text: 'response.reasoning_summary_text',
    part: 'response.reasoning_summary_part',
    at: { summary_index: 0 },
  },
  function_call: { text: 'response.function_call_arguments', part: null, at: {} },
} as const

/**
 * Writes an answer as OpenAI's events (https://platform.openai.com/docs/api-reference/responses-streaming): items one
 * after the other, each added, written and done. An answer that fails ends with `error` and `response.failed`.
 */
export function openResponseEvents(head: Head): Writer {
  let sequence_number = 0
  const done: ResponseItem[] = []
  /** What is being written; `call` is the number of its call. */
  let open: { kind: Kind; call: number | null } | null = null
  const calls = new Set<number>()
  /** A piece of a call came after its item was over. */
  let torn = false

  const event = (type: string, body: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...body })}\n\n`
  const begin = (): string =>
    sequence_number
      ? ''
      : event('response.created', { response: head }) + event('response.in_progress', { response: head })
  const itemNow = (kind: Kind, status: ResponseItem['status']): ResponseItem =>
    itemOf(head, done.length, kind, status)
  /** Which item, and which part of it, an event means. */
  const place = (kind: Kind) => ({
    item_id: itemNow(kind, 'in_progress').id,
    output_index: done.length,
    ...NAMES[kind.type].at,
  })
  const partOf = ({ type, text }: Kind): object => (type === 'message' ? textPart(text) : summaryPart(text))

  const start = (kind: Kind, call: number | null): string => {
    const before = begin() + close('completed')
    const empty: Kind = { ...kind, text: '' }
    open = { kind: empty, call }
    const { part } = NAMES[kind.type]
    const item = itemNow(empty, 'in_progress')
    const added = event('response.output_item.added', { output_index: done.length, item })
    return before + added + (part ? event(`${part}.added`, { ...place(empty), part: partOf(empty) }) : '')
  }
  const close = (status: 'completed' | 'incomplete'): string => {
    if (!open) return ''
    const { kind } = open
    open = null
    const { text, part } = NAMES[kind.type]
    const said =
      kind.type === 'function_call' ? { name: kind.name, arguments: kind.text } : { text: kind.text }
    const item = itemNow(kind, status)
    const ended =
      event(`${text}.done`, { ...place(kind), ...said, ...logprobsOf(kind) }) +
      (part ? event(`${part}.done`, { ...place(kind), part: partOf(kind) }) : '') +
      event('response.output_item.done', { output_index: done.length, item })
    done.push(item)
    return ended
  }

  const isGoingOn = (kind: Kind, call: number | null): boolean =>
    open?.kind.type === kind.type && open.call === call

  return {
    part(part) {
      const kind = kindOf(part)
      const call = callOf(part)
      if (!kind) return ''
      const goesOn = isGoingOn(kind, call)
      torn ||= !goesOn && call !== null && calls.has(call)
      if (torn) return ''
      if (call !== null) calls.add(call)
      const started = goesOn ? '' : start(kind, call)
      if (!open || !kind.text) return started
      open.kind.text += kind.text
      const delta = { ...place(kind), delta: kind.text, ...logprobsOf(kind) }
      return started + event(`${NAMES[kind.type].text}.delta`, delta)
    },

    end(ended) {
      if (torn) return this.error('upstream_malformed')
      const closed = begin() + close(reasonOf(ended) ? 'incomplete' : 'completed')
      const response: ResponseAnswer = { ...head, ...endOf(ended), output: done }
      return closed + event(`response.${response.status}`, { response })
    },

    error(code) {
      const { message } = errors[code]
      const output = open ? [...done, itemNow(open.kind, 'incomplete')] : done
      const error = { code: failureOf(code), message }
      const response: ResponseAnswer = { ...head, status: 'failed', error, output }
      const said = begin() + event('error', { code, message, param: null })
      return said + event('response.failed', { response })
    },
  }
}

const callOf = (part: Increment): number | null => (part.type === 'tool_call' ? part.index : null)

/** Only the text of a message has them, and none was asked for. */
const logprobsOf = ({ type }: Kind): object => (type === 'message' ? { logprobs: [] } : {})

const failureOf = (code: ErrorCode): NonNullable<ResponseAnswer['error']>['code'] =>
  code === 'upstream_rate_limited' ? 'rate_limit_exceeded' : 'server_error'
