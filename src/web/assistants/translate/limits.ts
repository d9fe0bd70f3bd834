import type * as question from '#contract/questions/questions.ts'
import type * as glossary from '#contract/translate/glossary.ts'

// The contract's constants, copied to keep the schema library out of the bundle. A value that differs from them is a type error.
export const MAX_TONE_CHARS: typeof question.MAX_TONE_CHARS = 200
export const MAX_TERM_CHARS: typeof glossary.MAX_TERM_CHARS = 120
export const MAX_CSV_CHARS: typeof glossary.MAX_CSV_CHARS = 500_000
