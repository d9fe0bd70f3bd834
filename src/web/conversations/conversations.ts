// Only names, no code, so that a chunk that imports one of them loads nothing else.
export {
  getAskModule,
  getFeedbackModule,
  getVersionsModule,
  subscribeToRefresh,
  useConversation,
} from './useConversation.ts'
export {
  attachSession,
  type Conversation,
  getConversation,
  isLocalConversation,
  reloadMessages,
  toDraftKey,
  useConversations,
} from './conversationStore.ts'
export { useLatestConversation } from './latestConversation.ts'
export {
  createLocalAnswer,
  createLocalQuestion,
  isTyping,
  mergeNewestPage,
  type Message,
  prependOlderPage,
  updateMessage,
} from './messages.ts'
export { getRecordingId, listDocuments } from './questionBlocks.ts'
export { followTurn, isAnswerGrowing, isFollowed, unfollow } from './questions/followTurn.ts'
export type { QuestionStore } from './questions/questionStore.ts'
export {
  createIdempotencyKey,
  type Failure,
  sendOnce,
  sendQuestion,
  withoutKey,
} from './questions/sendQuestion.ts'
export { cancelTurn, stopWhenSent } from './questions/stopTurn.ts'
export { type AnswerEnd, getOnlyAnswer, restartLanes, type TurnState } from './questions/turnState.ts'
export { readTurn } from './questions/turnStream.ts'
export { getLiveText, subscribeToLiveAnswer, useLiveAnswer } from './liveAnswers.ts'
export { jumpToNewest, loadNewerMessages, loadOlderMessages, readAllMessages } from './messagePages.ts'
export { requestRelatedPrompts, setRelatedEnabled, useRelatedSetting } from './relatedPrompts.ts'
export { getSearchedWords, setSearchedWords } from './searchedWords.ts'
export { createFolder, deleteFolder, moveSessions, renameFolder, type SessionsInFolder } from './folders.ts'
export {
  archiveSessions,
  changeSessions,
  deleteSession,
  forkSession,
  requestTitle,
  updateSession,
} from './sessions.ts'
export { getSessionUrl, onSessionLinkClick, openAdjacentSession, openSession } from './sessionNavigation.ts'
export { notifySessionChange, sessionsKey } from './tabSync.ts'
export { getVisibleConversationId, useVisibleConversation } from './visibleConversation.ts'
export {
  isLongText,
  joinPastedText,
  savePendingQuestion,
  takePendingQuestion,
  takeUnsentQuestion,
  toDraft,
} from './questionText.ts'
export {
  MAX_FOLDER_NAME_CHARS,
  MAX_PROMPT_CHARS,
  MAX_SYSTEM_PROMPT_CHARS,
  MAX_TITLE_CHARS,
  PLACEHOLDER,
} from './limits.ts'
