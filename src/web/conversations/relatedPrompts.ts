import { create } from 'zustand'
import { sharedStorage } from '#web/core/browserStorage.ts'
import { request } from '#web/core/api.ts'
import { notifySessionChange } from './tabSync.ts'
import { reloadMessages } from './conversationStore.ts'

const KEY = 'wenqu.related'

/** The choice of suggested follow-up questions, kept in this browser. */
export const useRelatedSetting = create<{ on: boolean }>()(() => ({
  on: sharedStorage.getItem(KEY) === 'on',
}))

export const isRelatedEnabled = (): boolean => useRelatedSetting.getState().on

export function setRelatedEnabled(on: boolean): void {
  sharedStorage.setItem(KEY, on ? 'on' : 'off')
  useRelatedSetting.setState({ on })
}

/** Ids of answers whose follow-up questions were requested here, so that each is requested once. */
const requestedIds = new Set<string>()

/** Requests follow-up questions for the last answer of a session. A failure is not reported, since they are an extra. */
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
