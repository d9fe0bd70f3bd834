import { sharedStorage } from '#web/core/browserStorage.ts'

const STORAGE_KEY = 'wenqu.sidebar'

/** Whether this person has put the sidebar away. */
export const readSidebarHidden = (): boolean => sharedStorage.getItem(STORAGE_KEY) === 'hidden'

export const writeSidebarHidden = (hidden: boolean): void =>
  sharedStorage.setItem(STORAGE_KEY, hidden ? 'hidden' : 'shown')
