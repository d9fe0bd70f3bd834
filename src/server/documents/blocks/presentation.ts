import type { Block } from '#contract/blocks.ts'
import { canModelsSee } from '#contract/uploads.ts'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { FILES_URL } from '#server/files/files.ts'
import { describeDelay } from '#server/tasks/tasks.ts'
import type { Task } from '#server/tasks/tasks.ts'
import type { StoredBlock } from './store.ts'

/** Codes of pictures that could not be opened here: platforms do not open them either. */
const UNOPENED: (string | null)[] = ['document_unsupported', 'document_damaged', 'picture_unsupported']

/** Tells whether models can see a block. */
export const canBeSeen = ({ type, code }: Pick<StoredBlock, 'type' | 'code'>): boolean =>
  canModelsSee(type) && !UNOPENED.includes(code)

/** Presents a block to its owner. `task`: its open task, if it has one. */
export function presentBlock(row: StoredBlock, task: Task | undefined): Block {
  const { id, name, type, size, channel, status, format, pieces, chars, report } = row
  return {
    id,
    name,
    type,
    size,
    md5: row.link === null ? row.md5 : null,
    url: row.link ?? FILES_URL + row.key,
    channel,
    status,
    error: row.code !== null && status > 1 ? getReason(row.code) : null,
    progress:
      status < 2
        ? {
            done: task?.done ?? 0,
            total: task?.total ?? null,
            seconds_left: task?.seconds_left ?? null,
            delay: task ? describeDelay(task) : null,
          }
        : null,
    visible: canBeSeen(row),
    format,
    pieces,
    chars,
    report,
    created_at: row.created_at.toISOString(),
  }
}

const getReason = (code: string | null): string =>
  errors[code !== null && Object.hasOwn(errors, code) ? (code as ErrorCode) : 'block_failed'].message
