import { parseJsonObject } from '#server/core/json.ts'
import type { Tool } from '#server/llm/llm.ts'

// A custom tool is called with one free text. Platforms know functions only, so it becomes a function with one string.

type CustomTool = {
  name: string
  description?: string | null | undefined
  grammar?: { syntax: string; definition: string } | null | undefined
}

const CUSTOM_PARAMETERS = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
}

export function toCustomFunction({ name, description, grammar }: CustomTool): Tool {
  const rule = grammar ? `The input must match this ${grammar.syntax} grammar:\n${grammar.definition}` : ''
  const described = [description, rule].filter(Boolean).join('\n\n')
  return { name, description: described, parameters: CUSTOM_PARAMETERS }
}

export const encodeCustomInput = (input: string): string => JSON.stringify({ input })

/** Returns the input in a call's arguments, as far as they came; a model that wrote no such object meant its whole text. */
export function decodeCustomInput(text: string): string {
  const input = parseJsonObject(text)?.['input']
  if (typeof input === 'string') return input
  const reader = createCustomInputReader()
  return reader.read(text) || text
}

const BEGIN = /^\s*\{\s*"input"\s*:\s*"/
/** Whole characters of a JSON string. Half of a surrogate pair waits for the other: not every client takes it alone. */
const CHARACTERS =
  /^(?:[^"\\]+|\\["\\/bfnrt]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u(?![dD][89abAB])[\da-fA-F]{4})*/

export type CustomInputReader = ReturnType<typeof createCustomInputReader>

/** Reads the input out of arguments that come in pieces, as far as it is certain. */
export function createCustomInputReader() {
  let text = ''
  let pending = ''
  let hasBegun = false
  let sentText = ''

  return {
    /** Returns the text that a piece adds to the input. */
    read(piece: string): string {
      text += piece
      pending += piece
      if (!hasBegun) {
        const beginMatch = BEGIN.exec(pending)
        if (!beginMatch) return ''
        hasBegun = true
        pending = pending.slice(beginMatch[0].length)
      }
      const [characters = ''] = CHARACTERS.exec(pending) ?? []
      pending = pending.slice(characters.length)
      const added = decodeCharacters(characters)
      sentText += added
      return added
    },
    /** Returns the rest once the arguments are whole; empty if they contradict the input that was read. */
    end(): string {
      const input = decodeCustomInput(text)
      return input.startsWith(sentText) ? input.slice(sentText.length) : ''
    },
  }
}

/** Models also write line breaks unescaped, which JSON does not allow. */
function decodeCharacters(characters: string): string {
  const escaped = characters.replace(
    /\p{Cc}/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return JSON.parse(`"${escaped}"`) as string
}
