// Names alone, no code: what a chunk takes from here brings nothing else into it.
export { getAskModule, getStopModule, getVersionsModule, useConversation } from './useConversation.ts'
export {
  attachSession,
  type Conversation,
  getConversation,
  isLocalConversation,
  reloadMessages,
  updateConversation,
  useConversations,
} from './conversationStore.ts'
export { useLatestConversation } from './latestConversation.ts'
export { isTyping, type Message } from './messages.ts'
export { getRecordingId, listDocuments } from './questionBlocks.ts'
export { getLiveText, subscribeToLiveAnswer, useLiveAnswer } from './liveAnswers.ts'
export { jumpToNewest, loadNewerMessages, loadOlderMessages } from './messagePages.ts'
export { requestRelatedPrompts, setRelatedEnabled, useRelatedSetting } from './relatedPrompts.ts'
export { getSearchedWords, setSearchedWords } from './searchedWords.ts'
export { deleteSession, forkSession, updateSession } from './sessions.ts'
export { getSessionUrl, onSessionLinkClick, openAdjacentSession, openSession } from './sessionNavigation.ts'
export { notifySessionChange, sessionsKey } from './tabSync.ts'
export { getVisibleConversationId, useVisibleConversation } from './visibleConversation.ts'
export {
  isLongText,
  joinPastedText,
  savePendingQuestion,
  takePendingQuestion,
  takeUnsentQuestion,
} from './questionText.ts'
export { MAX_PROMPT_CHARS, MAX_SYSTEM_PROMPT_CHARS, MAX_TITLE_CHARS, PLACEHOLDER } from './limits.ts'
