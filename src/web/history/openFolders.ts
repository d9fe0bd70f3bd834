import { create } from 'zustand'
import { sharedStorage } from '#web/core/browserStorage.ts'

const KEY = 'wenqu.open-folders'
/** Kept at most; the oldest give way. */
const MAX_OPEN = 50

function readOpenFolders(): string[] {
  try {
    return JSON.parse(sharedStorage.getItem(KEY) ?? '[]') as string[]
  } catch {
    return []
  }
}

const useStore = create<{ ids: string[] }>()(() => ({ ids: readOpenFolders() }))
// Another tab has opened or closed one.
addEventListener('storage', ({ key }) => key === KEY && useStore.setState({ ids: readOpenFolders() }))

/** Ids of the folders whose conversations are shown. Kept in this browser; a folder is closed to begin with. */
export const useOpenFolders = (): readonly string[] => useStore(({ ids }) => ids)

export function setFolderOpen(id: string, open: boolean): void {
  const others = readOpenFolders().filter((other) => other !== id)
  const ids = open ? [...others, id].slice(-MAX_OPEN) : others
  sharedStorage.setItem(KEY, JSON.stringify(ids))
  useStore.setState({ ids })
}
