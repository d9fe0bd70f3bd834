import { create } from 'zustand'
import { sharedStorage } from '#web/core/browserStorage.ts'
import { request } from '#web/core/api.ts'
import { notifySessionChange } from './tabSync.ts'
import { reloadMessages } from './conversationStore.ts'

const KEY = 'wenqu.related'

/** Whether questions that could follow are wanted; kept in this browser. */
export const useRelatedSetting = create<{ on: boolean }>()(() => ({
  on: sharedStorage.getItem(KEY) === 'on',
}))

export const isRelatedEnabled = (): boolean => useRelatedSetting.getState().on

export function setRelatedEnabled(on: boolean): void {
  sharedStorage.setItem(KEY, on ? 'on' : 'off')
  useRelatedSetting.setState({ on })
}

/** Answers whose questions were asked for here, by message id: once is enough. */
const requestedIds = new Set<string>()

/** Has the questions that could follow the last answer of a session made. They are an extra: a failure is no news. */
export async function requestRelatedPrompts(sessId: string, id: string): Promise<void> {
  if (requestedIds.has(id)) return
  requestedIds.add(id)
  const response = await request('POST /api/chat/prompts/append', { body: { sess_id: sessId } }).catch(
    () => null,
  )
  if (!response?.prompts.length) return
  await reloadMessages(sessId)
  notifySessionChange(sessId)
}
