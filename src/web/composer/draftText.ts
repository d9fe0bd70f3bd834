import type { AttachedFile } from './attachmentStore.ts'

/** Nobody types it (ASCII's unit separator). */
const SEPARATOR = '\u001F'

/** A question that is being written: what was typed, what was pasted beside it, and its documents. */
export type Draft = { typed: string; pasted: string; files: readonly AttachedFile[] }

export const emptyDraft: Draft = { typed: '', pasted: '', files: [] }

/** A question as its draft keeps it: its parts stay apart. */
export function serializeDraft({ typed, pasted, files }: Draft): string {
  const parts = [typed, pasted, files.length ? JSON.stringify(files) : '']
  while (parts.length > 1 && !parts.at(-1)) parts.pop()
  return parts.join(SEPARATOR)
}

/** The parts of a kept draft. */
export function parseDraft(draft: string): Draft {
  const [typed = '', ...rest] = draft.split(SEPARATOR)
  const files = rest.length > 1 ? parseFiles(rest.at(-1) ?? '') : null
  return { typed, pasted: (files ? rest.slice(0, -1) : rest).join(SEPARATOR), files: files ?? [] }
}

/** Null for what is no list of documents. */
function parseFiles(text: string): AttachedFile[] | null {
  try {
    const files: unknown = JSON.parse(text)
    return Array.isArray(files) && files.every(isFile) ? files : null
  } catch {
    return null
  }
}

const isFile = (value: unknown): value is AttachedFile =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'name' in value &&
  typeof value.id === 'string' &&
  typeof value.name === 'string'
