/** Most models in one comparison. */
export const MAX_COMPARED_MODELS = 8
/** Turns read at a time. */
export const TURNS_PAGE_SIZE = 20
export const MAX_SCOREBOARD_DAYS = 3_650

/** Subjects of questions, as the scoreboard groups them. */
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

/** Votes without a winning model: all are equally good, or none is good. */
export const TIE = 'tie'
export const NONE = 'none'
