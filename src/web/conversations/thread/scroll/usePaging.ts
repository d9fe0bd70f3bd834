import { type RefObject, useEffect, useRef } from 'react'
import type { VListHandle } from 'virtua'
import { type Conversation, loadNewerMessages, loadOlderMessages } from '#web/conversations/conversations.ts'
import { getPageToLoad } from './pageToLoad.ts'

type Options = {
  id: string
  conversation: Conversation
  list: RefObject<VListHandle | null>
  isMeasured: RefObject<boolean>
}

/** Loads more messages near the first and the last one. Returns a function to call when the person has scrolled. */
export function usePaging({ id, conversation, list, isMeasured }: Options): () => void {
  const requestedBeside = useRef<string>(undefined)
  const load = (isByPerson: boolean) => {
    if (!list.current || !isMeasured.current) return
    const page = getPageToLoad(list.current, conversation, isByPerson ? undefined : requestedBeside.current)
    if (!page) return
    requestedBeside.current = page.beside
    void (page.direction === 'older' ? loadOlderMessages(id) : loadNewerMessages(id))
  }
  // A page that does not fill the screen cannot be scrolled, so more is loaded at once.
  useEffect(() => load(false))
  return () => load(true)
}
