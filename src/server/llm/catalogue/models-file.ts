import { parseTree } from 'jsonc-parser'
import type { ParseError } from 'jsonc-parser'
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

/** Parses the text of a JSON file. Throws CatalogueError with the line of a fault. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // V8 names the fault, but not always its position.
    const faults: ParseError[] = []
    parseTree(text, faults, { disallowComments: true })
    const before = text.slice(0, faults[0]?.offset)
    throw new CatalogueError(before.split('\n').length, (cause as Error).message.replace(/\s+/g, ' '))
  }
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
