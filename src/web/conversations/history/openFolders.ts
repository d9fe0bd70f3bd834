import { create } from 'zustand'
import { sharedStorage } from '#web/core/browserStorage.ts'

const KEY = 'wenqu.open-folders'
/** Number of ids kept at most; the oldest are dropped. */
const MAX_OPEN = 50

function readOpenFolders(): string[] {
  try {
    return JSON.parse(sharedStorage.getItem(KEY) ?? '[]') as string[]
  } catch {
    return []
  }
}

const useStore = create<{ ids: string[] }>()(() => ({ ids: readOpenFolders() }))
// Another tab has opened or closed a folder.
addEventListener('storage', ({ key }) => key === KEY && useStore.setState({ ids: readOpenFolders() }))

/** Ids of the open folders, kept in this browser. A new folder is closed. */
export const useOpenFolders = (): readonly string[] => useStore(({ ids }) => ids)

export function setFolderOpen(id: string, open: boolean): void {
  const others = readOpenFolders().filter((other) => other !== id)
  const ids = open ? [...others, id].slice(-MAX_OPEN) : others
  sharedStorage.setItem(KEY, JSON.stringify(ids))
  useStore.setState({ ids })
}
