import { MAX_COMPARED_MODELS } from '#contract/compare-limits.ts'
import type { Column, ColumnSettings } from '#contract/compare/compare.ts'
import { AppError } from '#server/core/app-error.ts'

export type ColumnInput = {
  model: string
  /** Undefined: unchanged. */
  settings?: ColumnSettings | null | undefined
  /** The column that it replaces. */
  replaces?: string | null | undefined
}

/**
 * Adds a model to a comparison's columns, at the end or in the place of `replaces`, or changes its column. Throws AppError
 * compare_full, and not_found if there is nothing to replace.
 */
export function putColumn(columns: Column[], { model, settings, replaces }: ColumnInput): Column[] {
  const existing = columns.find((column) => column.model === model)
  const column = { model, settings: settings === undefined ? (existing?.settings ?? null) : settings }
  if (replaces && replaces !== model) {
    if (!columns.some((other) => other.model === replaces)) throw new AppError('not_found')
    return columns
      .filter((other) => other !== existing)
      .map((other) => (other.model === replaces ? column : other))
  }
  if (existing) return columns.map((other) => (other === existing ? column : other))
  if (columns.length >= MAX_COMPARED_MODELS) throw new AppError('compare_full')
  return [...columns, column]
}
