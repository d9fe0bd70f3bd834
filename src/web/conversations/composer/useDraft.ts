import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { type Draft, emptyDraft, isEmptyDraft, joinDrafts } from '#web/core/draftStorage.ts'
import { drafts } from './browserDrafts.ts'
import { takeSavedQueue } from './queueStore.ts'
import { getConversation, takePendingQuestion, takeUnsentQuestion } from '#web/conversations/conversations.ts'

const PAUSE_MS = 250

type Options = {
  /** Storage key of the draft: a session's id, or the name of a new conversation (`toDraftKey`). */
  draftKey: string
  /** Stays the same when a new conversation gets its session, so that the draft moves along. */
  conversationKey: string
  /** Returns what is written, with the documents attached in that conversation. */
  getDraft: (conversationKey: string) => Draft
  /** Shows a stored draft. */
  showDraft: (draft: Draft) => void
  /** The attachments; a change of them saves the draft. */
  attachments: unknown
}

/** Saves what is written in a field, by conversation. The returned functions must be called on each change and on sending. */
export function useDraft({ draftKey, conversationKey, getDraft, showDraft, attachments }: Options) {
  const saveTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const current = useRef({ place: draftKey, conversation: conversationKey })

  const save = () => {
    if (saveTimer.current === undefined) return
    clearTimeout(saveTimer.current)
    saveTimer.current = undefined
    // When another conversation is opened, this runs after the render that names it: the draft belongs to the one before.
    drafts.write(current.current.place, getDraft(current.current.conversation))
  }
  const onSave = useEffectEvent(save)
  const isFirst = useRef(true)
  const onPlaceChange = useEffectEvent(() => {
    const isMoved = current.current.conversation === conversationKey && current.current.place !== draftKey
    if (isMoved) {
      const draft = getDraft(conversationKey)
      drafts.write(current.current.place, emptyDraft)
      current.current = { place: draftKey, conversation: conversationKey }
      if (!isEmptyDraft(draft)) drafts.write(draftKey, draft)
      return
    }
    current.current = { place: draftKey, conversation: conversationKey }
    // An unsent question that is still shown in the conversation is no draft.
    const isWaiting = getConversation(draftKey)?.messages.some(({ local }) => local)
    const unsentDraft = isWaiting ? emptyDraft : takeUnsentQuestion(draftKey)
    const queue = takeSavedQueue(draftKey, conversationKey)
    // Somebody may have written into the server's HTML before this script ran.
    const typedDraft = isFirst.current ? { ...getDraft(conversationKey), blocks: [] } : emptyDraft
    isFirst.current = false
    const takenDrafts = [takePendingQuestion(), unsentDraft, queue]
    const draft = joinDrafts([...takenDrafts, drafts.read(draftKey), typedDraft])
    if (![...takenDrafts, typedDraft].every(isEmptyDraft)) drafts.write(draftKey, draft)
    showDraft(draft)
  })
  // Before the paint, so that a stored draft does not appear late.
  useLayoutEffect(() => {
    onPlaceChange()
    return () => onSave()
  }, [draftKey, conversationKey])
  const onClear = useEffectEvent(() => {
    clearTimeout(saveTimer.current)
    saveTimer.current = undefined
    showDraft(emptyDraft)
  })
  useEffect(() => drafts.onClear(() => onClear()), [])
  useEffect(() => {
    const onPageHide = () => onSave()
    addEventListener('pagehide', onPageHide)
    return () => removeEventListener('pagehide', onPageHide)
  }, [])

  const onChange = () => {
    saveTimer.current ??= setTimeout(save, PAUSE_MS)
  }
  const onAttachmentsChange = useEffectEvent(() => {
    if (getDraft(conversationKey).blocks.join() !== drafts.read(draftKey).blocks.join()) onChange()
  })
  useEffect(() => onAttachmentsChange(), [attachments])

  return {
    onChange,
    onSent: (text: string) => {
      clearTimeout(saveTimer.current)
      saveTimer.current = undefined
      drafts.markSent(current.current.place, text)
    },
  }
}
