import type { Place } from '../readings.ts'

/**
 * One text of a document to translate: a paragraph, a cell, a cue, a value. Tags stand for parts that must stay: `<1>…</1>`
 * around text of another format or a link, `<2/>` for a field, a picture, the mark of a note, a tab, a line break. A literal `<`
 * or `&` is written `&lt;`, `&amp;`.
 */
export type Segment = {
  /** From 1, in the document's order. */
  n: number
  text: string
  place: Place
  placeholders?: Placeholders
}

/** Placeholders of a program by the numbers of their tags: the text of a tag that stands alone, or of a pair's two tags. */
export type Placeholders = Record<number, [text: string] | [open: string, close: string]>

/** Why something in a document is not translated, and the message for people. */
export const keptReasons = {
  picture: '图片里的文字没有翻译',
  embedded: '嵌入的文件没有翻译',
  equation: '公式保留原样',
  field: '域的内容由程序更新，保留原样',
  code: '代码保留原样',
  deleted: '修订中已删除的文字没有翻译',
  bound: '内容控件绑定了文档数据，打开时可能恢复原文',
  phonetic: '注音只属于原文，译文中不保留',
  macro: '宏保留原样',
  signature: '数字签名在修改后失效',
  watermark: '艺术字或水印里的文字没有翻译',
  choices: '下拉选项和输入提示里的文字没有翻译',
  chart_data: '图表的文字已翻译，图表背后的数据表没有翻译',
  sheet_names: '工作表名称可能被公式和链接引用，保留原样',
  table_names: '表格的列名被公式或数据透视表引用，保留原样',
  formula_text: '公式里的文字和结果没有翻译',
  pivot: '数据透视表的缓存没有翻译，刷新后更新',
  encoding: '文字编码无法原样写回，没有翻译',
  damaged: '内容已损坏，没有翻译',
  identifier: '供程序使用的值保留原样',
  marked: '注明不翻译，保留原样',
  plural_forms: '除单数外的各种复数形式使用同一译文，请核对',
  drawn_table: '用字符画的表格没有翻译',
  scan: '没有可提取的文字（可能是扫描页），没有翻译',
  note: '批注和表单里填写的内容没有翻译',
  layout: 'PDF 不能在原文件里替换文字，译文另成文件；图片里的文字没有翻译',
} as const

export type KeptReason = keyof typeof keptReasons

/** An untranslated part of a document (a path, a kind of field, a page), the reason, and the number of times. */
export type KeptPart = { what: string; reason: KeptReason; message: string; count: number; place?: Place }

export type Extraction = {
  /** The detected format, whatever the name says: `docx`, `csv` … */
  format: string
  segments: Segment[]
  kept: KeptPart[]
}

/**
 * `bilingual`: each text is followed by its translation. For a PDF, `translated` is a web page with its pages' pictures beside
 * the translation, `bilingual` the PDF with a page of translation behind each of its own.
 */
export type TranslationMode = 'translated' | 'bilingual'

/** Problems of putting a translation into its document. */
export const textProblems = {
  placeholders: '译文缺少或改动了占位符，保留原文',
  tags: '译文的格式标记与原文不一致，格式可能有出入',
  name_taken: '表格的列名会重复，保留原样',
  name_long: '表格的列名会超过 255 个字符，保留原样',
  glyphs: '译文里有字体没有的文字，在 PDF 里可能显示为方框；网页版不受影响',
} as const

export type TextProblem = { n: number; what: keyof typeof textProblems; message: string }

export type RebuiltDocument = {
  bytes: Uint8Array
  /** The file's name; its extension changes where the result has another format (pdf). */
  name: string
  problems: TextProblem[]
}
