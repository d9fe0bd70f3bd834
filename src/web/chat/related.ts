import { create } from 'zustand'
import { request } from '../core/api.ts'
import { announce } from './changes.ts'
import { reload } from './conversation.ts'

const KEY = 'wenqu.related'

/** Whether questions that could follow are wanted; kept in this browser. */
export const useRelatedSwitch = create<{ on: boolean }>()(() => ({
  on: localStorage.getItem(KEY) === 'on',
}))

export const wantsRelated = (): boolean => useRelatedSwitch.getState().on

export function switchRelated(on: boolean): void {
  localStorage.setItem(KEY, on ? 'on' : 'off')
  useRelatedSwitch.setState({ on })
}

/** Answers whose questions were asked for here, by message id: once is enough. */
const asked = new Set<string>()

/** Has the questions that could follow the last answer of a session made. They are an extra: a failure is no news. */
export async function relate(sess_id: string, id: string): Promise<void> {
  if (asked.has(id)) return
  asked.add(id)
  const made = await request('POST /api/chat/prompts/append', { body: { sess_id } }).catch(() => null)
  if (!made?.prompts.length) return
  await reload(sess_id)
  announce(sess_id)
}
