import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor } from '#server/core/http.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { DEFAULT_PREFERENCE } from '#server/llm/llm.ts'
import type { Catalogue, PromptMessage } from '#server/llm/llm.ts'
import type { Runs } from '#server/runs/runs.ts'
import { listFirstMessages } from '../messages/store.ts'
import type { MessageRow } from '../messages/store.ts'
import { claimTitle, findSession, setGeneratedTitle } from './store.ts'
import type { SessionRow } from './store.ts'

export type TitleDeps = {
  db: Db
  runs: Runs
  catalogue: Catalogue
  /** `off`, `auto`, or the model that writes titles. */
  title_model: string
}

/**
 * Titles for one person that the operator pays for, in all conversations; far more than anybody begins in a day. Copied
 * conversations have theirs already (conversation-copy.ts).
 */
const TITLE_LIMIT = { points: 50, seconds: 86_400 }
/** Characters of question and answer from which a title is made, and the most tokens that it may take. */
const MAX_READ_CHARS = 1_000
const MAX_TOKENS = 100
const INSTRUCTION =
  '给下面的对话起一个简短的标题：用对话的语言，中文不超过 12 个字；只输出标题，不加引号、句号和解释。'

/** Makes a generator of titles, with this process's limit. */
export function createTitleGenerator(deps: TitleDeps) {
  const limitTitles = createRateLimit(TITLE_LIMIT)
  return (visitor: Visitor, id: string) => generateTitle({ ...deps, limitTitles }, visitor, id)
}

type GeneratorDeps = TitleDeps & { limitTitles: ReturnType<typeof createRateLimit> }

/**
 * Replaces the words of a session's first question by a better title: once, after the first answer, by a run that the operator
 * pays for. The title stays if there is no real model, if a person wrote it or has had the titles of the day, or if the run
 * fails. Throws AppError not_found.
 */
async function generateTitle(deps: GeneratorDeps, visitor: Visitor, id: string): Promise<SessionRow> {
  const { db } = deps
  const { user_id } = visitor
  const session = await findSession(db, user_id, id)
  if (!session) throw new AppError('not_found')
  const model = chooseTitleModel(deps)
  if (!model || session.titled_by !== 'question') return session
  const [question, answer] = await listFirstMessages(db, id)
  if (!question || answer?.status !== 'done') return session
  // If two tabs request it at the same moment, one gets the run.
  if (!(await claimTitle(db, user_id, id))) return session
  const title = await requestTitle(deps, visitor, session.id, model, buildTitlePrompt(question, answer))
  if (title) await setGeneratedTitle(db, user_id, id, title)
  return (await findSession(db, user_id, id)) ?? session
}

/** Returns the named model, or the cheapest real one; null if there is none or titles are off. */
function chooseTitleModel({ catalogue, title_model }: TitleDeps): string | null {
  const models = catalogue.listChatModels().filter(({ available, local }) => available && !local)
  if (title_model !== 'auto') return models.find(({ id }) => id === title_model)?.id ?? null
  const price = (model: (typeof models)[number]) => model.input_price + model.output_price
  return models.toSorted((a, b) => price(a) - price(b))[0]?.id ?? null
}

const buildTitlePrompt = (question: MessageRow, answer: MessageRow): PromptMessage[] => [
  { role: 'system', content: INSTRUCTION },
  {
    role: 'user',
    content:
      `问：${question.text.slice(0, MAX_READ_CHARS)}\n\n答：${answer.text.slice(0, MAX_READ_CHARS)}`.toWellFormed(),
  },
]

async function requestTitle(
  { runs, limitTitles }: GeneratorDeps,
  { user_id, account_id, budgets }: Visitor,
  subjectId: string,
  model: string,
  messages: PromptMessage[],
): Promise<string> {
  try {
    await limitTitles(user_id)
    const run = await runs.createBatched({
      user_id,
      account_id,
      budgets,
      kind: 'title',
      subject_id: subjectId,
      model,
      prompt: { messages, max_tokens: MAX_TOKENS },
      preference: DEFAULT_PREFERENCE,
      free: true,
    })
    const { result } = await run.executeTo({ type: 'buffer' })
    return result.state === 'done' ? cleanTitle(result.text) : ''
  } catch (error) {
    if (error instanceof AppError) return ''
    throw error
  }
}

/** Removes what models add to a title: a label, quotes, marks of markdown, a full stop. */
function cleanTitle(text: string): string {
  const line = text.split('\n').find((some) => some.trim()) ?? ''
  const bare = line
    .replace(/^[\s#*>-]*(标题\s*[:：])?/, '')
    .replace(/^[\s"'“”‘’「」『』《》*]+|[\s"'“”‘’「」『』《》*。.]+$/g, '')
  return bare && deriveTitle(bare)
}

const MAX_TITLE_CHARS = 30

/** Makes a session's title from its first question: one line, cut at a whole character. */
export function deriveTitle(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim()
  const characters = [...new Intl.Segmenter('zh', { granularity: 'grapheme' }).segment(line.slice(0, 400))]
  const title = characters.slice(0, MAX_TITLE_CHARS).map(({ segment }) => segment)
  return (characters.length > MAX_TITLE_CHARS ? `${title.join('')}…` : title.join('')) || '新对话'
}
