import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor } from '#server/core/http.ts'
import { DEFAULT_PREFERENCE, canUseModel } from '#server/llm/llm.ts'
import type { Catalogue, PromptMessage } from '#server/llm/llm.ts'
import type { CompletionHook, RunHandle, Runs } from '#server/runs/runs.ts'
import { listNewestMessages } from './messages/store.ts'
import { claimRelated, saveRelated } from './turns/store.ts'

/** Longest part of question and answer shown to the model, characters. */
const MAX_SHOWN_CHARS = 1_500
const MAX_PROMPTS = 3
const MAX_PROMPT_CHARS = 80

const INSTRUCTION = [
  '你为一位读者推荐接下来可以问的问题。',
  '读完一问一答之后，写出三个他最可能接着问的问题：简短、具体、各不相同，用他自己的口吻和语言，每个不超过二十五个字。',
  '只输出一个 JSON 字符串数组，例如 ["…", "…", "…"]，不要输出别的。',
].join('\n')

/** Three short questions, and room for a model that writes more. */
const MAX_TOKENS = 300

type RelatedDeps = { db: Db; runs: Runs; catalogue: Catalogue }

/** Completion hook of runs of kind `related`: stores the questions with the answer that they follow. */
export const completeRelated: CompletionHook = async (tx, settledRuns) => {
  const generated = settledRuns.flatMap(({ run_id, subject_id, result: { state, text } }) => {
    const prompts = state === 'done' ? parsePrompts(text) : []
    return prompts.length ? { id: subject_id, run_id, prompts } : []
  })
  if (generated.length) await saveRelated(tx, generated)
}

/**
 * Returns questions that could follow the last answer of a session that the visitor owns. They are generated once, by a run that
 * the visitor pays for, and later read. Empty while another request generates them. Throws AppError: as Runs.create, and with the
 * code of a failed run.
 */
export async function getRelatedPrompts(
  { db, runs, catalogue }: RelatedDeps,
  { user_id, account_id, budgets, guest }: Visitor,
  { sess_id, model }: { sess_id: string; model: string },
): Promise<string[]> {
  const [answer, question] = await listNewestMessages(db, sess_id, { size: 2 })
  // With answers side by side, there is no single answer to follow.
  if (answer?.role !== 'ai' || answer.status !== 'done' || answer.lane || !question) return []
  if (answer.related_prompts.length) return answer.related_prompts
  let run: RunHandle | null = null
  await db.transaction(async (tx) => {
    if (!(await claimRelated(tx, answer.id))) return
    run = await runs.create(tx, {
      user_id,
      account_id,
      budgets,
      kind: 'related',
      subject_id: answer.id,
      model: canUseModel(catalogue, model, { type: 'chat', guest }) ? model : answer.model,
      prompt: { messages: buildRelatedPrompt(question.text, answer.text), max_tokens: MAX_TOKENS },
      preference: DEFAULT_PREFERENCE,
      free: guest,
    })
  })
  const settled = await (run as RunHandle | null)?.executeTo({ type: 'buffer' })
  if (!settled) return []
  const { state, code, text } = settled.result
  if (state !== 'done') throw new AppError(code ?? 'internal')
  return parsePrompts(text)
}

/** Builds the prompt that asks for questions to follow an answer. */
const buildRelatedPrompt = (question: string, answer: string): PromptMessage[] => [
  { role: 'system', content: INSTRUCTION },
  {
    role: 'user',
    content: `【问】${question.slice(0, MAX_SHOWN_CHARS)}\n\n【答】${answer.slice(0, MAX_SHOWN_CHARS)}`,
  },
]

/** Parses the questions in a model's output: a JSON array as requested, else a list of lines; nothing else. */
function parsePrompts(text: string): string[] {
  const lines = parseJsonList(text) ?? text.split('\n').filter((line) => /^\s*(\d+[.、)]|[-*•])/.test(line))
  const questions = lines
    .map((line) =>
      line
        .replace(/^\s*(\d+[.、)]|[-*•])\s*/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line && line.length <= MAX_PROMPT_CHARS)
  return [...new Set(questions)].slice(0, MAX_PROMPTS)
}

function parseJsonList(text: string): string[] | null {
  const array = /\[[^]*\]/.exec(text)?.[0]
  if (!array) return null
  try {
    const list: unknown = JSON.parse(array)
    return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : null
  } catch {
    return null
  }
}
