import { sharedStorage } from '#web/core/browserStorage.ts'

const STORAGE_KEY = 'wenqu.sidebar'

/** Tells whether the person has hidden the sidebar. */
export const readSidebarHidden = (): boolean => sharedStorage.getItem(STORAGE_KEY) === 'hidden'

export const writeSidebarHidden = (hidden: boolean): void =>
  sharedStorage.setItem(STORAGE_KEY, hidden ? 'hidden' : 'shown')
