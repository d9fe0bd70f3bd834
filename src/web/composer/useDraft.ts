import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { drafts } from './browserDrafts.ts'
import { takeSavedQueue } from './queueStore.ts'
import { getConversation, takePendingQuestion, takeUnsentQuestion } from '#web/conversations/conversations.ts'

const PAUSE_MS = 250

type Options = {
  /** Where the draft is kept: a session, or NEW_CHAT. */
  draftKey: string
  /** Stays the same when a new conversation gets its session: what was being written goes with it. */
  conversationKey: string
  getText: () => string
  /** Shows a kept draft. */
  showDraft: (text: string) => void
}

/** Keeps what is written in a field, conversation by conversation. Returns what to call on each change and on sending. */
export function useDraft({ draftKey, conversationKey, getText, showDraft }: Options) {
  const saveTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const current = useRef({ place: draftKey, conversation: conversationKey })

  const save = () => {
    if (saveTimer.current === undefined) return
    clearTimeout(saveTimer.current)
    saveTimer.current = undefined
    drafts.write(current.current.place, getText())
  }
  const onSave = useEffectEvent(save)
  const isFirst = useRef(true)
  const onPlaceChange = useEffectEvent(() => {
    const isMoved = current.current.conversation === conversationKey && current.current.place !== draftKey
    if (isMoved) {
      const text = getText()
      drafts.write(current.current.place, '')
      current.current = { place: draftKey, conversation: conversationKey }
      if (text) drafts.write(draftKey, text)
      return
    }
    current.current = { place: draftKey, conversation: conversationKey }
    // What still waits on the screen to be sent is no draft.
    const isWaiting = getConversation(draftKey)?.messages.some(({ local }) => local)
    const question = takePendingQuestion() || (isWaiting ? '' : takeUnsentQuestion(draftKey))
    const queue = takeSavedQueue(draftKey, conversationKey)
    // In a field that the server drew somebody may have written before this script ran.
    const typed = isFirst.current ? getText() : ''
    isFirst.current = false
    const draft = [queue, question || drafts.read(draftKey), typed].filter(Boolean).join('\n\n')
    if (question || queue || typed) drafts.write(draftKey, draft)
    showDraft(draft)
  })
  // Before the paint: a kept draft is never seen to arrive.
  useLayoutEffect(() => {
    onPlaceChange()
    return () => onSave()
  }, [draftKey, conversationKey])
  const onClear = useEffectEvent(() => {
    clearTimeout(saveTimer.current)
    saveTimer.current = undefined
    showDraft('')
  })
  useEffect(() => drafts.onClear(() => onClear()), [])
  useEffect(() => {
    const onPageHide = () => onSave()
    addEventListener('pagehide', onPageHide)
    return () => removeEventListener('pagehide', onPageHide)
  }, [])

  return {
    onChange: () => {
      saveTimer.current ??= setTimeout(save, PAUSE_MS)
    },
    onSent: (text: string) => {
      clearTimeout(saveTimer.current)
      saveTimer.current = undefined
      drafts.markSent(current.current.place, text)
    },
  }
}
