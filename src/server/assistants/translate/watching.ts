import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerEvent } from '#server/conversations/conversations.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Tasks } from '#server/tasks/tasks.ts'
import { showPlaceholders, stripTags } from '#server/formats/formats.ts'
import * as store from './store.ts'

const POLL_MS = 500
const TEXTS_AT_A_TIME = 200

/**
 * Yields a document's translation as the events of an answer: its texts in order as far as they are settled, a paragraph each,
 * untranslated ones as they are. The first event replaces all that a reader had before it came back.
 */
export async function* watchTranslation(
  { db, tasks }: { db: Db; tasks: Tasks },
  { user_id, task_id }: { user_id: string; task_id: string },
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  let after = 0
  while (!signal.aborted) {
    // The task is read before its texts, so that none is missed.
    const task = (await tasks.list(user_id, [task_id])).get(task_id)
    const hasEnded = !task || (task.state !== 'waiting' && task.state !== 'running')
    for (let more = true; more && !signal.aborted;) {
      const texts = await store.listSettledFrom(db, task_id, { after, size: TEXTS_AT_A_TIME })
      const isFirst = after === 0
      after = texts.at(-1)?.n ?? after
      more = texts.length === TEXTS_AT_A_TIME
      const lines = texts.map(({ text, placeholders, translation }) =>
        stripTags(showPlaceholders(translation ?? text, placeholders)),
      )
      if (!lines.length) continue
      const deltaContent = `${isFirst ? '' : '\n\n'}${lines.join('\n\n')}`
      yield { data: { delta_content: deltaContent, ...(isFirst ? { replace: true } : {}) } }
    }
    if (hasEnded) {
      const state = task?.state === 'failed' || task?.state === 'done' ? task.state : 'cancelled'
      yield { end: { state, code: task?.code ?? null } }
      return
    }
    await sleep(POLL_MS, null, { signal }).catch(() => null)
  }
}
