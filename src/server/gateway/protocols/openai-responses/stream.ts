import type { ResponseCitation, ResponseObject, ResponseOutputItem } from '#contract/gateway/responses.ts'
import { createOpenAiErrorBody } from '../../http/errors.ts'
import type { OutputIncrement, ResponseWriter } from '../../pipeline/response-writer.ts'
import { createCustomInputReader } from '../custom-input.ts'
import type { CustomInputReader } from '../custom-input.ts'
import {
  countItems,
  formatCitations,
  formatEnd,
  formatItem,
  toItemContent,
  getIncompleteReason,
  createRefusalPart,
  createSummaryPart,
  createTextPart,
  signReasoning,
  toFailureCode,
} from './response.ts'
import type { ResponseHeader, ItemContent } from './response.ts'
import type { ToolNames } from './tools.ts'

/** The names of the events that write an item, and the index of the part that they write. */
const EVENT_NAMES = {
  message: { text: 'response.output_text', part: 'response.content_part', at: { content_index: 0 } },
  refusal: { text: 'response.refusal', part: 'response.content_part', at: { content_index: 0 } },
  reasoning: {
    text: 'response.reasoning_summary_text',
    part: 'response.reasoning_summary_part',
    at: { summary_index: 0 },
  },
  image_generation_call: { text: 'response.image_generation_call', part: null, at: {} },
  function_call: { text: 'response.function_call_arguments', part: null, at: {} },
  /** It is sent only when it is whole. */
  tool_search_call: { text: null, part: null, at: {} },
  custom_tool_call: { text: 'response.custom_tool_call_input', part: null, at: {} },
} as const

/**
 * Writes a response as OpenAI's events (https://platform.openai.com/docs/api-reference/responses-streaming): items one
 * after the other, each added, written and done. A response that fails ends with `error` and `response.failed`.
 */
export function createResponseWriter(head: ResponseHeader, names: ToolNames): ResponseWriter {
  let sequenceNumber = 0
  const doneItems: ResponseOutputItem[] = []
  /** The item that is being written; `call` is the index of its tool call, `input` reads the input of a custom tool. */
  let current: { kind: ItemContent; call: number | null; input: CustomInputReader | null } | null = null

  const event = (type: string, body: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequenceNumber++, ...body })}\n\n`
  const writeCreated = (): string =>
    sequenceNumber
      ? ''
      : event('response.created', { response: head }) + event('response.in_progress', { response: head })
  const formatCurrentItem = (kind: ItemContent, status: ResponseOutputItem['status']): ResponseOutputItem =>
    formatItem(head, countItems(doneItems, kind), kind, status)
  /** The item, and the part of it, that an event is about. */
  const getPosition = (kind: ItemContent) => ({
    item_id: formatCurrentItem(kind, 'in_progress').id,
    output_index: doneItems.length,
    ...EVENT_NAMES[kind.type].at,
  })
  const createPart = (kind: ItemContent): object => {
    if (kind.type === 'refusal') return createRefusalPart(kind.text)
    return kind.type === 'message' ? createTextPart(kind) : createSummaryPart(kind.text)
  }

  const startItem = (kind: ItemContent, call: number | null): string => {
    const before = writeCreated() + closeItem('completed')
    const empty: ItemContent =
      kind.type === 'message' ? { ...kind, text: '', logprobs: [], annotations: [] } : { ...kind, text: '' }
    const input = kind.type === 'custom_tool_call' ? createCustomInputReader() : null
    current = { kind: empty, call, input }
    const { part } = EVENT_NAMES[kind.type]
    const item = formatCurrentItem(empty, 'in_progress')
    const added = event('response.output_item.added', { output_index: doneItems.length, item })
    return (
      before +
      added +
      (part ? event(`${part}.added`, { ...getPosition(empty), part: createPart(empty) }) : '')
    )
  }
  const writeDelta = (kind: ItemContent, text: string, piece = kind): string => {
    if (!text) return ''
    kind.text += text
    if (kind.type === 'message' && piece.type === 'message') kind.logprobs.push(...piece.logprobs)
    const delta = { ...getPosition(kind), delta: text, ...formatLogprobs(piece) }
    const name = EVENT_NAMES[kind.type].text
    return name ? event(`${name}.delta`, delta) : ''
  }
  /** A signature is sent with its reasoning, when the item is done. */
  const writeSignature = (part: Extract<OutputIncrement, { type: 'signature' }>): string => {
    const empty: ItemContent = { type: 'reasoning', text: '', signed: [] }
    const started = current?.kind.type === 'reasoning' ? '' : startItem(empty, null)
    if (current?.kind.type === 'reasoning') signReasoning(current.kind, part)
    return started
  }
  /** A picture comes whole. */
  const writePicture = (kind: ItemContent): string => {
    const before = writeCreated() + closeItem('completed')
    const outputIndex = doneItems.length
    const startedItem = formatCurrentItem(kind, 'in_progress')
    const item = formatCurrentItem(kind, 'completed')
    const added = event('response.output_item.added', { output_index: outputIndex, item: startedItem })
    const completed = event('response.image_generation_call.completed', {
      item_id: item.id,
      output_index: outputIndex,
    })
    doneItems.push(item)
    return (
      before + added + completed + event('response.output_item.done', { output_index: outputIndex, item })
    )
  }
  /** Writes the citations of the text that is being written. */
  const writeCitations = (citations: ResponseCitation[]): string => {
    if (current?.kind.type !== 'message') return ''
    const { kind } = current
    return citations
      .map((annotation) => {
        const annotationIndex = kind.annotations.push(annotation) - 1
        const added = { ...getPosition(kind), annotation_index: annotationIndex, annotation }
        return event('response.output_text.annotation.added', added)
      })
      .join('')
  }
  const closeItem = (status: 'completed' | 'incomplete'): string => {
    if (!current) return ''
    const { kind, input } = current
    current = null
    const rest = writeDelta(kind, input?.end() ?? '')
    const { text, part } = EVENT_NAMES[kind.type]
    const content = formatDoneContent(kind)
    const item = formatCurrentItem(kind, status)
    const events =
      rest +
      (text ? event(`${text}.done`, { ...getPosition(kind), ...content, ...formatLogprobs(kind) }) : '') +
      (part ? event(`${part}.done`, { ...getPosition(kind), part: createPart(kind) }) : '') +
      event('response.output_item.done', { output_index: doneItems.length, item })
    doneItems.push(item)
    return events
  }

  /** Only the first piece of a tool call says which tool it is. */
  const isContinued = (kind: ItemContent, call: number | null): boolean =>
    current !== null && current.call === call && (call !== null || current.kind.type === kind.type)

  return {
    writePart(part) {
      if (part.type === 'annotations') return writeCitations(formatCitations(part.annotations))
      if (part.type === 'signature') return writeSignature(part)
      const kind = toItemContent(part, names)
      if (kind?.type === 'image_generation_call') return writePicture(kind)
      const call = getCallIndex(part)
      if (!kind) return ''
      const continues = isContinued(kind, call)
      const started = continues ? '' : startItem(kind, call)
      if (!current) return started
      const { kind: writtenKind, input } = current
      return started + writeDelta(writtenKind, input ? input.read(kind.text) : kind.text, kind)
    },

    writeEnd(result) {
      const events = writeCreated() + closeItem(getIncompleteReason(result) ? 'incomplete' : 'completed')
      const response: ResponseObject = { ...head, ...formatEnd(result), output: doneItems }
      return events + event(`response.${response.status}`, { response })
    },

    writeError(code, rejection) {
      const { error: openAiError } = createOpenAiErrorBody(code, { rejection })
      const { message, param } = openAiError
      const output = current ? [...doneItems, formatCurrentItem(current.kind, 'incomplete')] : doneItems
      const error = { code: toFailureCode(code), message }
      const response: ResponseObject = { ...head, status: 'failed', error, output }
      const events = writeCreated() + event('error', { code: openAiError.code, message, param })
      return events + event('response.failed', { response })
    },
  }
}

const getCallIndex = (part: OutputIncrement): number | null => (part.type === 'tool_call' ? part.index : null)

function formatDoneContent(kind: ItemContent): object {
  if (kind.type === 'function_call') return { name: kind.name, arguments: kind.text }
  if (kind.type === 'refusal') return { refusal: kind.text }
  return kind.type === 'custom_tool_call' ? { input: kind.text } : { text: kind.text }
}

/** Only the text of a message has log probabilities. */
const formatLogprobs = (kind: ItemContent): object =>
  kind.type === 'message' ? { logprobs: kind.logprobs } : {}
