import { create } from 'zustand'
import { sharedStorage } from '#web/core/browserStorage.ts'

const KEY = 'wenqu.thinking'

const useThinkingStore = create<{ on: boolean }>()(() => ({ on: sharedStorage.getItem(KEY) === 'on' }))

/** Tells whether models with a switch think before they answer. The setting is kept in this browser. */
export const useThinking = (): boolean => useThinkingStore((state) => state.on)

export function setThinking(on: boolean): void {
  sharedStorage.setItem(KEY, on ? 'on' : 'off')
  useThinkingStore.setState({ on })
}
