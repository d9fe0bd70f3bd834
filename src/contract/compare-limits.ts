/** Models that are compared at a time. */
export const MAX_COMPARED_MODELS = 8
/** Turns that are read at a time. */
export const TURNS_PAGE_SIZE = 20
export const MAX_SCOREBOARD_DAYS = 3_650

/** What a question is about, as the scoreboard groups it. */
export const questionKinds = [
  'code',
  'writing',
  'translation',
  'math',
  'knowledge',
  'document',
  'other',
] as const
export type QuestionKind = (typeof questionKinds)[number]

/** What a vote says instead of a model's id: all are equally good, or none is any good. */
export const TIE = 'tie'
export const NONE = 'none'
