import { AppError } from '../../core/app-error.ts'
import type { Db } from '../../core/database.ts'
import type { Catalogue } from '../../llm/catalogue.ts'
import type { PromptMessage } from '../../llm/chat.ts'
import { DEFAULT_PREFERENCE } from '../../llm/routing/preference.ts'
import type { Runs } from '../../runs/runs.ts'
import { titleOf } from '../prompt.ts'
import { sessionById } from '../store.ts'
import type { MessageRow, SessionRow } from '../store.ts'
import { claimTitle, firstMessages, setMadeTitle } from './store.ts'

export type Titling = {
  db: Db
  runs: Runs
  catalogue: Catalogue
  /** `off`, `auto`, or the model that makes titles. */
  title_model: string
}

/** Characters of question and answer that a title is made from, and tokens that it may cost. */
const READ_CHARS = 1_000
const MAX_TOKENS = 100
const INSTRUCTION =
  '给下面的对话起一个简短的标题：用对话的语言，中文不超过 12 个字；只输出标题，不加引号、句号和解释。'

/**
 * Gives a session a better title than the words of its first question: once, after its first answer, by a run that the
 * house pays for. Where no real model is there, where a person wrote the title, or when the run fails, the title stays.
 * Throws AppError not_found.
 */
export async function makeTitle(titling: Titling, user_id: string, id: string): Promise<SessionRow> {
  const { db } = titling
  const session = await sessionById(db, user_id, id)
  if (!session) throw new AppError('not_found')
  const model = modelFor(titling)
  if (!model || session.titled_by !== 'question') return session
  const [question, answer] = await firstMessages(db, id)
  if (!question || answer?.status !== 'done') return session
  // Of two tabs that ask for it at the same moment, one gets the run.
  if (!(await claimTitle(db, user_id, id))) return session
  const title = await writeTitle(titling, session, model, promptOf(question, answer))
  if (title) await setMadeTitle(db, user_id, id, title)
  return (await sessionById(db, user_id, id)) ?? session
}

/** The named model, or the cheapest real one; null where there is none or titles are off. */
function modelFor({ catalogue, title_model }: Titling): string | null {
  const models = catalogue.chatModels().filter(({ available, local }) => available && !local)
  if (title_model !== 'auto') return models.find(({ id }) => id === title_model)?.id ?? null
  const price = (model: (typeof models)[number]) => model.input_price + model.output_price
  return models.toSorted((a, b) => price(a) - price(b))[0]?.id ?? null
}

const promptOf = (question: MessageRow, answer: MessageRow): PromptMessage[] => [
  { role: 'system', content: INSTRUCTION },
  {
    role: 'user',
    content:
      `问：${question.text.slice(0, READ_CHARS)}\n\n答：${answer.text.slice(0, READ_CHARS)}`.toWellFormed(),
  },
]

async function writeTitle(
  { runs }: Titling,
  { id: subject_id, user_id }: SessionRow,
  model: string,
  messages: PromptMessage[],
): Promise<string> {
  try {
    const run = await runs.openGrouped({
      user_id,
      kind: 'title',
      subject_id,
      model,
      prompt: { messages, max_tokens: MAX_TOKENS },
      preference: DEFAULT_PREFERENCE,
      free: true,
    })
    const { outcome } = await run.relay({ to: 'whole' })
    return outcome.state === 'done' ? plainTitle(outcome.text) : ''
  } catch (error) {
    if (error instanceof AppError) return ''
    throw error
  }
}

/** The title alone, as models do not always write it: without label, quotes, marks of markdown and a full stop. */
export function plainTitle(said: string): string {
  const line = said.split('\n').find((some) => some.trim()) ?? ''
  const bare = line
    .replace(/^[\s#*>-]*(标题\s*[:：])?/, '')
    .replace(/^[\s"'“”‘’「」『』《》*]+|[\s"'“”‘’「」『』《》*。.]+$/g, '')
  return bare && titleOf(bare)
}
