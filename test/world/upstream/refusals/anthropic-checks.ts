import { findFirst, readList, readObject, readText } from './rule.ts'
import type { Body } from './rule.ts'

/** A block of message `index`; `at` is its place as Anthropic writes it. */
export type PlacedBlock = { index: number; at: string; block: Body }

export const listMessages = (body: Body): Body[] => readList(body.messages)

export const listBlocks = ({ content }: Body): Body[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : readList(content)

/** Lists the blocks of all messages in order, without those inside of results. */
export const listPlacedBlocks = (body: Body): PlacedBlock[] =>
  listMessages(body).flatMap((message, index) =>
    listBlocks(message).map((block, position) => ({
      index,
      at: `messages.${index}.content.${position}`,
      block,
    })),
  )

export const isThought = ({ type }: Body): boolean => type === 'thinking' || type === 'redacted_thinking'

export const listUses = (message: Body): string[] =>
  listBlocks(message).flatMap(({ type, id }) => (type === 'tool_use' ? readText(id) : []))

/** Lists the results at the beginning of a message. */
export function listResults(message: Body | undefined): string[] {
  const ids: string[] = []
  for (const { type, tool_use_id } of message ? listBlocks(message) : []) {
    if (type !== 'tool_result') break
    ids.push(readText(tool_use_id))
  }
  return ids
}

const hasResults = (message: Body): boolean => listBlocks(message).some(({ type }) => type === 'tool_result')

/**
 * Finds the beginning of the turn that the model is to continue, if results of its tools come last: everything since the user's
 * last words is one turn.
 */
export function findOpenTurn(body: Body): { index: number; message: Body } | null {
  const messages = listMessages(body)
  if (!messages.length || !hasResults(messages.at(-1)!)) return null
  const spoken = messages.findLastIndex((message) => message.role !== 'assistant' && !hasResults(message))
  const message = messages[spoken + 1]
  return message?.role === 'assistant' ? { index: spoken + 1, message } : null
}

const SIGNATURES: [media_type: string, bytes: RegExp][] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
]
export const IMAGE_TYPES = SIGNATURES.map(([mediaType]) => mediaType)

/** Detects the media type of base64 by its bytes; null for unknown ones. */
export function detectImageType(base64: string): string | null {
  const head = Buffer.from(base64.slice(0, 24), 'base64').toString('latin1')
  return SIGNATURES.find(([, bytes]) => bytes.test(head))?.[0] ?? null
}

/** Lists the pictures in base64 of all messages, those inside of results included. */
export const listPictures = (body: Body): { at: string; source: Body }[] =>
  listPlacedBlocks(body).flatMap(({ at, block }) => {
    const inner = block.type === 'tool_result' ? readList(block.content) : []
    const places = [
      { at: `${at}.image.source.base64`, one: block },
      ...inner.map((one, position) => ({
        at: `${at}.tool_result.content.${position}.image.source.base64`,
        one,
      })),
    ]
    return places.flatMap((place) => {
      const source = readObject(place.one.source)
      return place.one.type === 'image' && source.type === 'base64' ? { at: place.at, source } : []
    })
  })

/** Lists tools that the caller runs; those of the platform have a type of their own. */
export const listOwnTools = (body: Body): { index: number; name: string; schema: Body }[] =>
  readList(body.tools).flatMap(({ type, name, input_schema }, index) =>
    type === undefined || type === 'custom'
      ? { index, name: readText(name), schema: readObject(input_schema) }
      : [],
  )

/** Finds a message whose text is nothing but white space, or which has a block without text. */
export const findBlankText = (body: Body): { index: number; isEmpty: boolean } | null =>
  findFirst(listMessages(body), (message, index) => {
    const texts = listBlocks(message).flatMap(({ type, text }) => (type === 'text' ? readText(text) : []))
    if (texts.includes('')) return { index, isEmpty: true }
    return texts.length && texts.every((text) => !text.trim()) ? { index, isEmpty: false } : null
  })
