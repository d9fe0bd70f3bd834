import { create } from 'zustand'
import type { Sound } from './sound.ts'

/** A question that is being spoken. */
export type Recording =
  /** The browser asks the person, or opens the microphone. */
  | { state: 'starting' }
  /** `levels`: loudness of each tenth of a second, 0 to 1. */
  | { state: 'recording'; ms: number; levels: readonly number[] }
  /** It can be played, sent and discarded. `note`: why it ended or was not sent; `block_id`: set once it was uploaded. */
  | { state: 'recorded'; file: File; sound: Sound; note: string | null; block_id: string | null }
  /** `step`: the current step in words. */
  | { state: 'sending'; sound: Sound; step: string }
  /** Recording is impossible for this reason. */
  | { state: 'refused'; reason: string }

/** By conversation, outside the pages: a recording waits in its conversation while another one is open. */
const useStore = create<{ byConversation: Readonly<Record<string, Recording | undefined>> }>()(() => ({
  byConversation: {},
}))

export const getRecording = (conversationKey: string): Recording | undefined =>
  useStore.getState().byConversation[conversationKey]

export const useRecording = (conversationKey: string): Recording | undefined =>
  useStore(({ byConversation }) => byConversation[conversationKey])

/** Tells whether a conversation has a recording in any state, also a refused one. */
export const useHasRecording = (conversationKey: string): boolean =>
  useStore(({ byConversation }) => byConversation[conversationKey] !== undefined)

/** `undefined` removes it. */
export const setRecording = (conversationKey: string, recording: Recording | undefined): void =>
  useStore.setState(({ byConversation }) => ({
    byConversation: { ...byConversation, [conversationKey]: recording },
  }))
