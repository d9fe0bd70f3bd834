import { FOR_OPERATORS } from '#server/core/config.ts'
import { catalogueSchema } from './schema.ts'
import type { CatalogueFile } from './schema.ts'
import { convertToCoins } from './currency.ts'
import { findLine } from './json-text.ts'

/** A MODELS_FILE that is refused. The message names the line and the reason, for the operator. */
export class CatalogueError extends Error {
  readonly line: number

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`)
    this.name = 'CatalogueError'
    this.line = line
  }
}

function findSyntaxError(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (cause) {
    return cause instanceof Error ? cause.message.replace(/\s+/g, ' ') : String(cause)
  }
}

/**
 * V8 gives no position for an unexpected token, nor for a text that ends too early. The former is found by bisection: only
 * beginnings of the text that reach the token are refused for it.
 */
function findSyntaxErrorLine(text: string, message: string): number {
  const position = /position (\d+)/.exec(message)?.[1]
  let end = position === undefined ? text.length : Number(position)
  if (message.startsWith('Unexpected token')) {
    for (let step = end; step >= 1;) {
      step = Math.floor(step / 2)
      while (step >= 1 && findSyntaxError(text.slice(0, end - step)).startsWith('Unexpected token'))
        end -= step
    }
  }
  return text.slice(0, end).split('\n').length
}

/** Parses the text of a JSON file. Throws CatalogueError with the line of a fault. */
export function parseJson(text: string): unknown {
  const fault = findSyntaxError(text)
  if (fault) throw new CatalogueError(findSyntaxErrorLine(text, fault), fault)
  return JSON.parse(text)
}

/** Reads the text of a MODELS_FILE, prices as they stand there. Throws CatalogueError with the first fault. */
export function readModelsFile(text: string): CatalogueFile {
  const result = catalogueSchema.safeParse(parseJson(text), FOR_OPERATORS)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const path = issue?.path ?? []
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  throw new CatalogueError(
    findLine(text, [...path, ...keys]),
    `${path.map(String).join('.') || 'file'}: ${issue?.message ?? 'invalid'}`,
  )
}

/** Does the same, with every price in coins. */
export const parseCatalogue = (text: string): CatalogueFile => convertToCoins(readModelsFile(text))
