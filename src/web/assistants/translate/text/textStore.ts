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
import { detectLanguage } from '#contract/translate/detect-language.ts'
import {
  cancelTranslation,
  changeTranslation,
  describeFailure,
  followTranslation,
  startTranslation,
  type StartedTranslation,
} from './translateText.ts'

const DRAFT = 'fanyi'

export type TextTranslation = {
  source: string
  result: string
  /** The source of `result`; `source` may have changed since. */
  translated: string
  /** The language of `result`. */
  target: TargetLanguage | null
  status: 'idle' | 'typing' | 'done'
  /** Reason in Chinese why the translation is missing or incomplete. */
  error: string | null
  /** Coins that were missing. */
  shortage: Shortage | null
  chat_id: string | null
  sess_id: string | null
  /** All of it came from the translation memory, free of charge. */
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

/** The one text being translated. Outside the page, so that it continues while the person is elsewhere. */
export const useTextTranslation = create<TextTranslation>()(() => ({
  ...emptyTranslation,
  source: readDraft(DRAFT).text,
}))
const { getState, setState } = useTextTranslation

/** Controller of the running translation; starting or loading another one aborts it. */
let currentController: AbortController | null = null
/** Resolves when the server has stopped a translation; until then its session accepts no other. */
let stopping: Promise<unknown> = Promise.resolve()

function replaceController(): AbortController {
  currentController?.abort()
  currentController = new AbortController()
  return currentController
}

export function setSource(source: string): void {
  setState({ source })
  saveDraft(DRAFT, { text: source, blocks: [] })
}

/** Clears everything, stops a running translation, and abandons one that is loading. */
export function clearText(): void {
  void stopText()
  currentController?.abort()
  setSource('')
  setState(emptyTranslation)
}

export type TextSettings = { model: string | null; target: TargetLanguage; tone: string; fresh?: boolean }

/** Translates the current source. `onSession` gets the id of the translation's session. */
export async function translateSource(
  { model, target, tone, fresh = false }: TextSettings,
  onSession: (sessId: string) => void,
): Promise<void> {
  const { source, sess_id } = getState()
  if (!source.trim()) return
  const controller = replaceController()
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
  // Stopped before the server answered.
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
  const onText = (result: string) => setState({ result })
  try {
    const { result, error } = await followTranslation(started, { model, target_lang: target }, onText, signal)
    if (signal.aborted) return
    setState({ result, error, status: 'done' })
    invalidateQuery(userQueryKey)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Stops a running translation and clears it (specification section 4, Translation). */
export async function stopText(): Promise<void> {
  const { status, chat_id } = getState()
  if (status !== 'typing') return
  currentController?.abort()
  setState({ status: 'idle', result: '', chat_id: null, from_memory: false })
  if (chat_id) stopping = cancelTranslation(chat_id).catch(() => {})
  await stopping
  invalidateQuery(userQueryKey)
}

/** Swaps source and translation, without a request. */
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

/** Saves the translation with a sentence in the person's own words. */
export function setResult(result: string): void {
  setState({ result })
  const { chat_id } = getState()
  if (chat_id) void changeTranslation(chat_id, { text: result })
}

/** Saves whether the person likes the translation. */
export async function setLiked(liked: boolean): Promise<void> {
  const { chat_id } = getState()
  if (!chat_id) return
  setState({ liked })
  const isKept = await changeTranslation(chat_id, { liked })
  if (!isKept && getState().chat_id === chat_id) setState({ liked: !liked })
}

/** Shows an earlier translation, the last one of its session. Follows it if it is still being written. */
export async function loadTranslation(sessId: string): Promise<void> {
  if (getState().sess_id === sessId) return
  const controller = replaceController()
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
      // A finished translation without a charge came from memory.
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
