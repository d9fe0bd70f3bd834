import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor } from '#server/core/http.ts'
import { DEFAULT_PREFERENCE } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import type { SettledRunsHook } from '#server/runs/settle.ts'
import type { RunHandle, Runs } from '#server/runs/runs.ts'
import { listNewestMessages } from '../store.ts'
import { parsePrompts, buildRelatedPrompt } from './prompt.ts'
import { claimRelated, saveRelated } from './store.ts'

type Options = { db: Db; runs: Runs; catalogue: Catalogue }

/** Three short questions, and room for a model that does not keep to it. */
const MAX_TOKENS = 300

/** What the ends of runs of kind `related` make of the answers that they were asked for. */
export const completeRelated: SettledRunsHook = async (tx, charged_runs) => {
  const generated = charged_runs.flatMap(({ subject_id, outcome: { state, text } }) => {
    const prompts = state === 'done' ? parsePrompts(text) : []
    return prompts.length ? { id: subject_id, prompts } : []
  })
  if (generated.length) await saveRelated(tx, generated)
}

/**
 * The questions that could follow the last answer of a session that the visitor owns. They are made once: by a run of
 * their own, which whoever asked pays; after that they are read. While somebody else has them made there are none yet.
 * Throws AppError: as Runs.open, and how the run failed.
 */
export async function getRelatedPrompts(
  { db, runs, catalogue }: Options,
  { user_id, guest }: Visitor,
  { sess_id, model }: { sess_id: string; model: string },
): Promise<string[]> {
  const [answer, question] = await listNewestMessages(db, sess_id, { size: 2 })
  if (answer?.role !== 'ai' || answer.status !== 'done' || !question) return []
  if (answer.related_prompts.length) return answer.related_prompts
  let run: RunHandle | null = null
  await db.transaction(async (tx) => {
    if (!(await claimRelated(tx, answer.id))) return
    run = await runs.create(tx, {
      user_id,
      kind: 'related',
      subject_id: answer.id,
      model: isUsable(catalogue, guest, model) ? model : answer.model,
      prompt: { messages: buildRelatedPrompt(question.text, answer.text), max_tokens: MAX_TOKENS },
      preference: DEFAULT_PREFERENCE,
      free: guest,
    })
  })
  const settled = await (run as RunHandle | null)?.executeTo({ to: 'buffer' })
  if (!settled) return []
  const { state, code, text } = settled.outcome
  if (state !== 'done') throw new AppError(code ?? 'internal')
  return parsePrompts(text)
}

function isUsable(catalogue: Catalogue, guest: boolean, id: string): boolean {
  const model = catalogue.getModel(id)
  const isAllowed = model?.type === 'chat' && model.visible && (!guest || model.guest)
  return isAllowed && catalogue.listOffers(id).length > 0
}
