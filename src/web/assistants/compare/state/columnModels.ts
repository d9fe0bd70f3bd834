import type { ColumnSettings, Comparison as ServerComparison } from '#contract/compare/compare.ts'
import { ApiError, request } from '#web/core/api.ts'
import { sharedStorage } from '#web/core/browserStorage.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { messagesText } from '#web/text/messages.ts'
import { toast } from '#web/ui/toast.ts'
import { notifySessionChange } from '#web/conversations/conversations.ts'
import { applyColumns } from './comparison.ts'
import {
  attachComparison,
  getComparison,
  isLocalComparison,
  reloadComparison,
  toChatbot,
  updateComparison,
} from './comparisonStore.ts'
import { followTurns } from './follow.ts'

const KEY = 'wenqu.compare.models'

/** The models compared last, with which a new comparison begins. */
export const getLastModels = (): string[] => (sharedStorage.getItem(KEY) ?? '').split('\n').filter(Boolean)

const sessions = new Map<string, Promise<string>>()

/** The session of a comparison; a draft is given one, with its columns, and then `onSession` is called. Throws ApiError. */
export function ensureSession(id: string, onSession: (sessId: string) => void): Promise<string> {
  if (!isLocalComparison(id)) return Promise.resolve(id)
  const pending = sessions.get(id) ?? createSession(id, onSession)
  sessions.set(id, pending)
  // A failed attempt may be repeated.
  pending.catch(() => sessions.delete(id))
  return pending
}

async function createSession(localId: string, onSession: (sessId: string) => void): Promise<string> {
  const { session } = await request(
    'POST /api/chat/session/new',
    { body: { chatbot: 'compare' } },
    requestOptions,
  )
  // The person may change the draft meanwhile: it becomes the session once the server has its latest state.
  let sentSetup: Setup = { columns: [], blind: false }
  for (let setup = getSetup(localId); !isSame(setup, sentSetup); setup = getSetup(localId)) {
    await sendSetup(toChatbot(session.id), setup, sentSetup)
    sentSetup = setup
  }
  updateComparison(localId, { session })
  attachComparison(localId, session.id)
  onSession(session.id)
  return session.id
}

const requestOptions = { failed: messagesText.newSessionFailed }

/** The columns and the blind mode of a comparison, without its messages. */
type Setup = Pick<ServerComparison, 'blind'> & { columns: ServerComparison['models'] }

function getSetup(id: string): Setup {
  const { columns = [], blind = false } = getComparison(id) ?? {}
  return { columns: columns.map(({ model, settings }) => ({ model, settings })), blind }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Sends the columns in their order and the blind mode to the server, which has `before`. */
async function sendSetup(chatbot: string, { columns, blind }: Setup, before: Setup): Promise<void> {
  if (!isSame(columns, before.columns)) {
    if (before.columns.length)
      await request('POST /api/compare/models/clear', { body: { chatbot } }, requestOptions)
    for (const column of columns)
      await request('POST /api/compare/models', { body: { ...column, chatbot } }, requestOptions)
  }
  if (blind !== before.blind) await request('PUT /api/compare', { body: { chatbot, blind } }, requestOptions)
}

/** Adds a model, in the place of `replaces` if that is given. */
export const addModel = (id: string, model: string, replaces: string | null = null): Promise<void> =>
  change(
    id,
    (columns) => {
      const addedColumn = { model, settings: null, messages: [] }
      return replaces === null
        ? [...columns, addedColumn]
        : columns.map((column) => (column.model === replaces ? addedColumn : column))
    },
    (chatbot) => request('POST /api/compare/models', { body: { model, chatbot, replaces } }),
  )

/** Removes a model's column. The server keeps its answers, which return with the model. */
export const removeModel = (id: string, model: string): Promise<void> =>
  change(
    id,
    (columns) => columns.filter((column) => column.model !== model),
    (chatbot) => request('DELETE /api/compare/models', { query: { model, chatbot } }),
  )

/** Replaces all columns by these models. */
export const chooseModels = (id: string, models: readonly string[]): Promise<void> =>
  change(
    id,
    () => models.map((model) => ({ model, settings: null, messages: [] })),
    async (chatbot) => {
      let response = await request('POST /api/compare/models/clear', { body: { chatbot } })
      for (const model of models)
        response = await request('POST /api/compare/models', { body: { model, chatbot } })
      return response
    },
  )

/** Changes the settings of one column; null makes it follow the comparison's settings. */
export const updateColumnSettings = (
  id: string,
  model: string,
  settings: ColumnSettings | null,
): Promise<void> =>
  change(
    id,
    (columns) => columns.map((column) => (column.model === model ? { ...column, settings } : column)),
    (chatbot) => request('POST /api/compare/models', { body: { model, chatbot, settings } }),
  )

/** Hides names and figures until the vote, or shows them again. */
export async function setBlind(id: string, blind: boolean): Promise<void> {
  updateComparison(id, { blind })
  if (isLocalComparison(id)) return
  try {
    await request('PUT /api/compare', { body: { chatbot: toChatbot(id), blind } })
  } catch (error) {
    updateComparison(id, { blind: !blind })
    toast.error(error instanceof ApiError ? error.message : compareText.changeFailed)
  }
  notifySessionChange(id)
}

type Columns = NonNullable<ReturnType<typeof getComparison>>['columns']

async function change(
  id: string,
  changeHere: (columns: Columns) => Columns,
  call: (chatbot: string) => Promise<ServerComparison>,
): Promise<void> {
  if (isLocalComparison(id)) {
    updateComparison(id, ({ columns }) => ({ columns: changeHere(columns) }))
  } else {
    try {
      const response = await call(toChatbot(id))
      updateComparison(id, (current) => applyColumns(current, response))
      // A model that had a column before comes back with its answers.
      await reloadComparison(id)
      followTurns(id)
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : compareText.changeFailed)
    }
    notifySessionChange(id)
  }
  const models = getComparison(id)?.columns.map(({ model }) => model) ?? []
  sharedStorage.setItem(KEY, models.join('\n'))
}
