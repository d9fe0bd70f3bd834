import { z } from 'zod'
import { piecePlace } from '../blocks.ts'
import { keptReasons, textProblems } from './documents.ts'
import type { KeptReason, TextProblem } from './documents.ts'
import { translationProblems } from './messages.ts'
import type { TranslationProblem } from './messages.ts'

/** Most texts, and most texts with a problem, in one answer of GET /task/{id}/result. */
export const MAX_RESULT_TEXTS = 200

const problem = z.enum(Object.keys(translationProblems) as TranslationProblem[])

/** One text of a translated document; tags in it stand for parts without text (see `Segment` of documents.ts). */
const translatedText = z.object({
  n: z.int(),
  text: z.string(),
  /** Null while there is none, and where the source stays. */
  translation: z.string().nullable(),
  /** A problem with its Chinese message. */
  problem: problem.nullable(),
  message: z.string().nullable(),
  place: piecePlace,
})
export type TranslatedText = z.output<typeof translatedText>

/** A document's translation so far: its report, and a page of its texts. */
export const translationResult = z.object({
  kind: z.literal('translation'),
  block: z.uuid(),
  name: z.string(),
  /** Null until the texts of the document are extracted. */
  format: z.string().nullable(),
  model: z.string(),
  target_lang: z.string(),
  tone: z.string(),
  /** Texts in all, translated ones, those from the translation memory, and those with a problem. */
  segments: z.int().describe('文字段数'),
  translated: z.int(),
  from_memory: z.int().describe('来自已有译文的段数'),
  failed: z.int(),
  /** The first texts with a problem. */
  problems: z.array(translatedText),
  /** Untranslated parts of the document, and the reasons. */
  kept: z.array(
    z.object({
      what: z.string(),
      reason: z.enum(Object.keys(keptReasons) as KeptReason[]),
      message: z.string(),
      count: z.int(),
      place: piecePlace.optional(),
    }),
  ),
  /** Problems of putting translations into the document, by the numbers of their texts. */
  file_problems: z.array(
    z.object({
      n: z.int(),
      what: z.enum(Object.keys(textProblems) as TextProblem['what'][]),
      message: z.string(),
    }),
  ),
  items: z.array(translatedText),
  /** There are texts behind the last one. */
  has_more: z.boolean(),
})
export type TranslationResult = z.output<typeof translationResult>
