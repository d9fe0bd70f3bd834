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
  n: z.int().describe('文字段的序号'),
  text: z.string().describe('原文'),
  translation: z.string().nullable().describe('译文；没有或保留原文则为空'),
  problem: problem.nullable().describe('译文的问题的代码；没有则为空'),
  message: z.string().nullable().describe('译文的问题，中文说明；没有则为空'),
  place: piecePlace,
})
export type TranslatedText = z.output<typeof translatedText>

/** A document's translation so far: its report, and a page of its texts. */
export const translationResult = z.object({
  kind: z.literal('translation').describe('种类：translation 翻译'),
  block: z.uuid().describe('翻译的文件或网页的编号'),
  name: z.string().describe('文件或网页的名称'),
  format: z.string().nullable().describe('识别出的格式，如 docx；还没有读出文字则为空'),
  model: z.string().describe('模型 ID'),
  target_lang: z.string().describe('目标语言'),
  tone: z.string().describe('语气'),
  segments: z.int().describe('文字段数'),
  translated: z.int().describe('已翻译的段数'),
  from_memory: z.int().describe('来自已有译文的段数'),
  failed: z.int().describe('有问题的段数'),
  problems: z.array(translatedText).describe('最先有问题的几段'),
  kept: z
    .array(
      z.object({
        what: z.string().describe('没有翻译的部分'),
        reason: z.enum(Object.keys(keptReasons) as KeptReason[]).describe('没有翻译的原因的代码'),
        message: z.string().describe('没有翻译的原因，中文说明'),
        count: z.int().describe('有几处'),
        place: piecePlace.optional(),
      }),
    )
    .describe('没有翻译、保持原样的部分'),
  file_problems: z
    .array(
      z.object({
        n: z.int().describe('文字段的序号'),
        what: z.enum(Object.keys(textProblems) as TextProblem['what'][]).describe('问题的代码'),
        message: z.string().describe('问题的中文说明'),
      }),
    )
    .describe('把译文写进文件时的问题'),
  items: z.array(translatedText).describe('这一页的文字段'),
  has_more: z.boolean().describe('后面是否还有文字段'),
})
export type TranslationResult = z.output<typeof translationResult>
