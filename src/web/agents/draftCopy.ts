import { tabStorage } from '#web/core/browserStorage.ts'
import { toDraftStorageKey } from '#web/core/draftStorage.ts'
import type { AgentFields } from './formFields.ts'

/** What was not saved of a draft when its page was left, and the version that the draft has when it is. */
type DraftCopy = { fields: AgentFields; version: number }

const toKey = (draft: string): string => toDraftStorageKey(`agent.${draft}`)

export const writeDraftCopy = (draft: string, copy: DraftCopy): void =>
  tabStorage.setItem(toKey(draft), JSON.stringify(copy))

export const removeDraftCopy = (draft: string): void => tabStorage.removeItem(toKey(draft))

/**
 * What was left of a draft in this tab: what is sent while a page is left may arrive after the next page has asked for the
 * draft, or never. Null where the draft is newer, as when it was changed in another tab.
 */
export function readDraftCopy({ uuid, version }: { uuid: string; version: number }): AgentFields | null {
  const copy = JSON.parse(tabStorage.getItem(toKey(uuid)) ?? 'null') as DraftCopy | null
  return copy && version <= copy.version ? copy.fields : null
}
