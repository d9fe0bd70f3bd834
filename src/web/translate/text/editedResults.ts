import { sharedStorage } from '#web/core/browserStorage.ts'

const KEY = 'wenqu.fanyi.edited'
/** So many of the latest are kept, and none of so many characters. */
const MAX_EDITED = 20
const MAX_CHARS = 20_000

type EditedResult = [chat_id: string, result: string]

function readAll(): EditedResult[] {
  try {
    return JSON.parse(sharedStorage.getItem(KEY) ?? '[]') as EditedResult[]
  } catch {
    return []
  }
}

/** A translation that the person has changed, by its turn. The server keeps what the model wrote. */
export const findEditedResult = (chat_id: string): string | undefined =>
  readAll().find(([id]) => id === chat_id)?.[1]

export function keepEditedResult(chat_id: string, result: string): void {
  const others = readAll().filter(([id]) => id !== chat_id)
  const kept: EditedResult[] = result.length > MAX_CHARS ? others : [[chat_id, result], ...others]
  sharedStorage.setItem(KEY, JSON.stringify(kept.slice(0, MAX_EDITED)))
}
