import { AppError } from '../../core/app-error.ts'
import type { Db } from '../../core/database.ts'
import type { Visitor } from '../../core/http.ts'
import type { Catalogue } from '../../llm/catalogue.ts'
import { DEFAULT_PREFERENCE } from '../../llm/routing/preference.ts'
import type { OnEnd } from '../../runs/finish.ts'
import type { OpenedRun, Runs } from '../../runs/runs.ts'
import { newestMessages } from '../store.ts'
import { readPrompts, relatedPrompt } from './prompts.ts'
import { claimRelated, keepRelated } from './store.ts'

type Options = { db: Db; runs: Runs; catalogue: Catalogue }

/** Three short questions, and room for a model that does not keep to it. */
const MAX_TOKENS = 300

/** What the ends of runs of kind `related` make of the answers that they were asked for. */
export const endRelated: OnEnd = async (tx, ended) => {
  const made = ended.flatMap(({ subject_id, outcome: { state, text } }) => {
    const prompts = state === 'done' ? readPrompts(text) : []
    return prompts.length ? { id: subject_id, prompts } : []
  })
  if (made.length) await keepRelated(tx, made)
}

/**
 * The questions that could follow the last answer of a session that the visitor owns. They are made once: by a run of
 * their own, which whoever asked pays; after that they are read. While somebody else has them made there are none yet.
 * Throws AppError: as Runs.open, and how the run failed.
 */
export async function relatedPrompts(
  { db, runs, catalogue }: Options,
  { user_id, guest }: Visitor,
  { sess_id, model }: { sess_id: string; model: string },
): Promise<string[]> {
  const [answer, question] = await newestMessages(db, sess_id, { size: 2 })
  if (answer?.role !== 'ai' || answer.status !== 'done' || !question) return []
  if (answer.related_prompts.length) return answer.related_prompts
  let run: OpenedRun | null = null
  await db.transaction(async (tx) => {
    if (!(await claimRelated(tx, answer.id))) return
    run = await runs.open(tx, {
      user_id,
      kind: 'related',
      subject_id: answer.id,
      model: usable(catalogue, guest, model) ? model : answer.model,
      prompt: { messages: relatedPrompt(question.text, answer.text), max_tokens: MAX_TOKENS },
      preference: DEFAULT_PREFERENCE,
      free: guest,
    })
  })
  const ended = await (run as OpenedRun | null)?.relay({ to: 'whole' })
  if (!ended) return []
  const { state, code, text } = ended.outcome
  if (state !== 'done') throw new AppError(code ?? 'internal')
  return readPrompts(text)
}

function usable(catalogue: Catalogue, guest: boolean, id: string): boolean {
  const model = catalogue.model(id)
  const allowed = model?.type === 'chat' && model.visible && (!guest || model.guest)
  return Boolean(allowed) && catalogue.offers(id).length > 0
}
