import { create } from 'zustand'
import type { Sound } from './sound.ts'

/** A question that is being spoken. */
export type Recording =
  /** The browser asks the person, or opens the microphone. */
  | { state: 'starting' }
  /** `levels`: how loud each tenth of a second was, 0 to 1. */
  | { state: 'recording'; ms: number; levels: readonly number[] }
  /** It can be heard, sent and thrown away. `note`: why it ended, or was not sent; `block_id`: once it was uploaded. */
  | { state: 'recorded'; file: File; sound: Sound; note: string | null; block_id: string | null }
  /** `step`: what is being done, in words. */
  | { state: 'sending'; sound: Sound; step: string }
  /** There is none, for this reason. */
  | { state: 'refused'; reason: string }

/** By conversation, outside the pages: what was recorded waits in its conversation while another one is looked at. */
const useStore = create<{ byConversation: Readonly<Record<string, Recording | undefined>> }>()(() => ({
  byConversation: {},
}))

export const getRecording = (conversationKey: string): Recording | undefined =>
  useStore.getState().byConversation[conversationKey]

export const useRecording = (conversationKey: string): Recording | undefined =>
  useStore(({ byConversation }) => byConversation[conversationKey])

/** Whether a question of this conversation is being spoken, or could not be. */
export const useHasRecording = (conversationKey: string): boolean =>
  useStore(({ byConversation }) => byConversation[conversationKey] !== undefined)

/** `undefined`: there is none any more. */
export const setRecording = (conversationKey: string, recording: Recording | undefined): void =>
  useStore.setState(({ byConversation }) => ({
    byConversation: { ...byConversation, [conversationKey]: recording },
  }))
