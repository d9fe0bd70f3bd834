import { tabStorage } from '#web/core/browserStorage.ts'
import { toDraftStorageKey } from '#web/core/draftStorage.ts'
import type { AgentFields } from './formFields.ts'

/** Unsaved fields of a draft whose page was left, and the version that the draft will have once they are saved. */
type DraftCopy = { fields: AgentFields; version: number }

const toKey = (draft: string): string => toDraftStorageKey(`agent.${draft}`)

export const writeDraftCopy = (draft: string, copy: DraftCopy): void =>
  tabStorage.setItem(toKey(draft), JSON.stringify(copy))

export const removeDraftCopy = (draft: string): void => tabStorage.removeItem(toKey(draft))

/**
 * The fields that this tab left unsaved: the request sent while a page closes may arrive after the next page has asked for the
 * draft, or never. Null where the draft is newer, for example because another tab changed it.
 */
export function readDraftCopy({ uuid, version }: { uuid: string; version: number }): AgentFields | null {
  const copy = JSON.parse(tabStorage.getItem(toKey(uuid)) ?? 'null') as DraftCopy | null
  return copy && version <= copy.version ? copy.fields : null
}
