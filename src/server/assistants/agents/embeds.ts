import type { AgentEmbed } from '#contract/agents/agents.ts'
import type { Block } from '#contract/blocks.ts'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { DocumentState } from '#server/documents/knowledge/knowledge.ts'

type Status = AgentEmbed['status']
type Parts = { done: number; total: number | null }

/** Presents a source to its owner: first it is read, then its text is indexed. */
export function toEmbed(block: Block, document: DocumentState | undefined): AgentEmbed {
  const { id, name, type, size } = block
  const status = getSourceStatus(block.status, document)
  const isRead = block.status === 2
  return {
    id,
    name,
    type,
    size,
    link: block.md5 === null ? block.url : null,
    status,
    percent: status === 2 ? 100 : isRead ? 50 + toHalf(document?.progress) : toHalf(block.progress),
    error: status < 3 ? null : isRead ? getReason(document?.code ?? null) : block.error,
    delay: (isRead ? document?.progress : block.progress)?.delay ?? null,
    chunks: document?.chunks ?? 0,
  }
}

/** Returns the percent of one of the two halves, at most 49: a half ends with a change of status. */
const toHalf = (parts: Parts | null | undefined): number =>
  parts?.total ? Math.min(49, Math.round((50 * parts.done) / parts.total)) : 0

const getReason = (code: string | null): string =>
  errors[code !== null && Object.hasOwn(errors, code) ? (code as ErrorCode) : 'block_failed'].message

/** Returns a source's status: a block that was read is done once its document is indexed. */
export const getSourceStatus = (block: Status, document: Pick<DocumentState, 'status'> | undefined): Status =>
  block === 2 && document ? (document.status === 0 ? 1 : document.status) : block

/** Returns an agent's status by its sources: 1 while one is under way, else 3 if one failed, else 2; 0 without any. */
export function summarizeStatus(sources: readonly Status[]): Status {
  if (!sources.length) return 0
  if (sources.some((status) => status < 2)) return 1
  return sources.includes(3) ? 3 : 2
}
