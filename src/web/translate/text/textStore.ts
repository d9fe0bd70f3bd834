import { create } from 'zustand'
import { withoutErrorText } from '#contract/conversations/failed-answer.ts'
import type { Shortage } from '#contract/errors.ts'
import { findTargetLanguage, type TargetLanguage } from '#contract/translate/languages.ts'
import { ApiError, isNotFound, request } from '#web/core/api.ts'
import { readDraft, saveDraft } from '#web/core/draftStorage.ts'
import { invalidateQuery } from '#web/core/deferredQuery.ts'
import { userQueryKey } from '#web/core/user.ts'
import { notifySessionChange } from '#web/conversations/conversations.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { updateSettings } from '../settings.ts'
import { detectLanguage } from './detectLanguage.ts'
import {
  cancelTranslation,
  changeTranslation,
  describeFailure,
  followTranslation,
  startTranslation,
  type StartedTranslation,
} from './translateText.ts'

const DRAFT = 'fanyi'
/** Text is shown at most this often; a faster stream costs no more rendering. */
const RENDER_INTERVAL_MS = 80

export type TextTranslation = {
  source: string
  result: string
  /** What `result` translates: `source` may have been changed since. */
  translated: string
  /** Into which language `result` is. */
  target: TargetLanguage | null
  status: 'idle' | 'typing' | 'done'
  /** Chinese reason why there is no translation, or not the whole. */
  error: string | null
  /** What it lacked coins for. */
  shortage: Shortage | null
  chat_id: string | null
  sess_id: string | null
  /** All of it is known from earlier, and cost nothing. */
  from_memory: boolean
  /** Specification section 3 calls it likeAIReply. */
  liked: boolean
}

const emptyTranslation: TextTranslation = {
  source: '',
  result: '',
  translated: '',
  target: null,
  status: 'idle',
  error: null,
  shortage: null,
  chat_id: null,
  sess_id: null,
  from_memory: false,
  liked: false,
}

/** The one text that is being translated. Outside the page: it goes on while the person looks at something else. */
export const useTextTranslation = create<TextTranslation>()(() => ({
  ...emptyTranslation,
  source: readDraft(DRAFT).text,
}))
const { getState, setState } = useTextTranslation

/** Of the translation that is written; another one, or none, takes its place. */
let current: AbortController | null = null
/** Until the server has stopped one, its session takes no other. */
let stopping: Promise<unknown> = Promise.resolve()

function begin(): AbortController {
  current?.abort()
  current = new AbortController()
  return current
}

export function setSource(source: string): void {
  setState({ source })
  saveDraft(DRAFT, { text: source, blocks: [] })
}

/** Nothing is there any more; what is written is stopped, and an earlier translation on its way is not waited for. */
export function clearText(): void {
  void stopText()
  current?.abort()
  setSource('')
  setState(emptyTranslation)
}

export type TextSettings = { model: string | null; target: TargetLanguage; tone: string; fresh?: boolean }

/** Translates the source as it stands. `onSession` is told where the translation is kept. */
export async function translateSource(
  { model, target, tone, fresh = false }: TextSettings,
  onSession: (sessId: string) => void,
): Promise<void> {
  const { source, sess_id } = getState()
  if (!source.trim()) return
  const controller = begin()
  const { from_memory, liked } = emptyTranslation
  const cleared = { result: '', error: null, shortage: null, chat_id: null, from_memory, liked }
  setState({ ...cleared, status: 'typing', translated: source, target })
  let started: StartedTranslation
  try {
    await stopping
    const settings = { prompt: source, model, target_lang: target, tone, fresh }
    started = await startTranslation({ ...settings, sess_id }).catch((error: unknown) => {
      // The session was deleted meanwhile.
      if (!sess_id || !(error instanceof ApiError) || error.code !== 'not_found') throw error
      return startTranslation({ ...settings, sess_id: null })
    })
  } catch (error) {
    if (controller.signal.aborted) return
    const shortage = (error instanceof ApiError && error.shortage) || null
    setState({ status: 'idle', error: describeFailure(error), shortage })
    return
  }
  // Stopped before the server had answered.
  if (controller.signal.aborted) return void cancelTranslation(started.chat_id).catch(() => {})
  setState(started)
  onSession(started.sess_id)
  notifySessionChange(started.sess_id)
  await follow(started, { model, target }, controller)
}

async function follow(
  started: Pick<StartedTranslation, 'chat_id'>,
  { model, target }: Pick<TextSettings, 'model' | 'target'>,
  controller: AbortController,
): Promise<void> {
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = ''
  const flush = () => {
    timer = undefined
    if (!signal.aborted) setState({ result: latest })
  }
  try {
    const onText = (result: string) => {
      latest = result
      timer ??= setTimeout(flush, RENDER_INTERVAL_MS)
    }
    const { result, error } = await followTranslation(started, { model, target_lang: target }, onText, signal)
    if (signal.aborted) return
    setState({ result, error, status: 'done' })
    invalidateQuery(userQueryKey)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Stops what is written, and clears it (specification section 4, Translation). */
export async function stopText(): Promise<void> {
  const { status, chat_id } = getState()
  if (status !== 'typing') return
  current?.abort()
  setState({ status: 'idle', result: '', chat_id: null, from_memory: false })
  if (chat_id) stopping = cancelTranslation(chat_id).catch(() => {})
  await stopping
  invalidateQuery(userQueryKey)
}

/** The translation becomes the source, and what it was translated from its translation: nothing is asked for that. */
export function swapTexts(): void {
  const { source, result, translated, status } = getState()
  if (status === 'typing') return
  setSource(result || source)
  setState({
    result: result ? translated : '',
    translated: result,
    target: result ? detectLanguage(translated) : null,
    error: null,
    chat_id: null,
    sess_id: null,
    from_memory: false,
    liked: false,
  })
}

/** A sentence of the translation in the person's own words. */
export function setResult(result: string): void {
  setState({ result })
  const { chat_id } = getState()
  if (chat_id) void changeTranslation(chat_id, { text: result })
}

/** Says that the person likes the translation, or no longer does. */
export async function setLiked(liked: boolean): Promise<void> {
  const { chat_id } = getState()
  if (!chat_id) return
  setState({ liked })
  const isKept = await changeTranslation(chat_id, { liked })
  if (!isKept && getState().chat_id === chat_id) setState({ liked: !liked })
}

/** Shows an earlier translation: the last one of its session. Goes on with it where it is being written. */
export async function loadTranslation(sessId: string): Promise<void> {
  if (getState().sess_id === sessId) return
  const controller = begin()
  try {
    const { messages } = await request('GET /api/chat/messages', { query: { sess_id: sessId } }, controller)
    const answer = messages.findLast(({ role }) => role === 'ai')
    const question = messages.find(({ role, chat_id }) => role === 'human' && chat_id === answer?.chat_id)
    if (controller.signal.aborted) return
    if (!answer || !question) return setState({ ...emptyTranslation, error: text.gone })
    const { chat_id, status, error, model, liked, figures } = answer
    const isTyping = status === 'typing'
    const result = isTyping ? '' : withoutErrorText(answer).text
    const target = findTargetLanguage(question.quick_action) ?? null
    if (target) updateSettings({ target })
    setSource(question.text)
    const isWhole = isTyping || status === 'done'
    setState({
      result,
      translated: question.text,
      target,
      status: isTyping ? 'typing' : 'done',
      error: isWhole ? null : (error ?? text.interrupted),
      chat_id,
      sess_id: sessId,
      liked,
      // What is there without having been charged was there before.
      from_memory: status === 'done' && figures === null,
    })
    if (isTyping) await follow({ chat_id }, { model, target: target ?? 'zh-CN' }, controller)
  } catch (error) {
    if (!controller.signal.aborted)
      setState({
        ...emptyTranslation,
        error: isNotFound(error) ? text.gone : describeFailure(error),
      })
  }
}
