import type * as chat from '#contract/chat.ts'
import type * as folders from '#contract/conversations/folders.ts'
import type * as question from '#contract/questions/questions.ts'
import type * as sessions from '#contract/conversations/sessions.ts'

// Copies of the contract's constants that do not load the schema library. A value that differs is a type error.
export const PLACEHOLDER: typeof chat.PLACEHOLDER = '正在思考如何回答您的问题，请稍候...'
export const MAX_PROMPT_CHARS: typeof question.MAX_PROMPT_CHARS = 200_000
export const MAX_SESSIONS_PER_CHANGE: typeof sessions.MAX_SESSIONS_PER_CHANGE = 200
export const MAX_FOLDER_NAME_CHARS: typeof folders.MAX_FOLDER_NAME_CHARS = 40
export const MAX_TITLE_CHARS: typeof sessions.MAX_TITLE_CHARS = 60
export const MAX_SYSTEM_PROMPT_CHARS: typeof sessions.MAX_SYSTEM_PROMPT_CHARS = 20_000
