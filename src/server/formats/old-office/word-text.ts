import { formatField } from '../docx/fields.ts'
import { formatSymbol, toUnicode } from '../office/symbols.ts'
import type { Output } from '../reading/output.ts'
import { MarkedText, PLAIN } from '../text/marked-text.ts'
import { readFormField } from './word-form.ts'
import { decodePiece } from './word-file.ts'
import type { TextPiece, WordFile } from './word-file.ts'
import type { ParagraphProperties, WordProperties } from './word-properties.ts'

/** A paragraph, or the text of a cell of a table or what ends its row. */
export type WordParagraph = {
  text: string
  isCell: boolean
  properties: ParagraphProperties
  /** Positions of the shapes that are anchored in it. */
  anchors: number[]
}

/** A document whose text is being read. */
export type Word = {
  file: WordFile
  pieces: TextPiece[]
  properties: WordProperties
  fonts: string[]
  /** Marks of notes by their positions. */
  marks: Map<number, string>
  /** Texts that are hidden in the file. */
  hidden: string[]
  output: Output
}

/** A field whose end has not come: its instruction, then its result. `outer`: what hid text where it began. */
type Field = { instruction: string; isResult: boolean; isWritten: boolean; outer: Field | undefined }

const MAX_HIDDEN = 20

/** Yields the paragraphs of a range of the document's characters. */
export function* readParagraphs(word: Word, from: number, to: number): Generator<WordParagraph> {
  const { file, properties, fonts, marks, hidden, output } = word
  const text = new MarkedText()
  const fields: Field[] = []
  let anchors: number[] = []
  let hiddenText = ''
  /** Returns the field whose instruction is being read, or whose instruction says what its result would. */
  const findHiding = (): Field | undefined => {
    const field = fields.at(-1)
    return field && (!field.isResult || field.isWritten) ? field : field?.outer
  }
  const endHidden = (): void => {
    if (hiddenText.trim() && hidden.length < MAX_HIDDEN) hidden.push(hiddenText.trim())
    hiddenText = ''
  }
  const show = (added: string, look = PLAIN): void => {
    const field = findHiding()
    if (!field) text.add(added, look)
    else if (!field.isResult) field.instruction += added
  }
  const endInstruction = (field: Field): void => {
    const shown = formatField(field.instruction)
    field.isResult = true
    if (shown !== undefined) show(shown)
    field.isWritten = shown !== undefined
  }
  const end = (offset: number, changes: Buffer, isCell: boolean): WordParagraph => {
    endHidden()
    const paragraph = { text: text.take().replace(/[ \t]+/g, ' '), isCell, anchors }
    anchors = []
    return { ...paragraph, properties: properties.getParagraph(offset, changes) }
  }
  for (const piece of word.pieces) {
    const [first, last] = [Math.max(from, piece.from), Math.min(to, piece.to)]
    if (first >= last) continue
    const content = decodePiece(file, piece, first - piece.from, last - piece.from)
    for (let index = 0; index < content.length; index++) {
      const position = first + index
      const offset = piece.offset + (position - piece.from) * piece.width
      const character = content[index]!
      const look = properties.getCharacter(offset, piece.changes)
      if (character === '\u0013') {
        const outer = findHiding()
        if (!look.isDeleted) fields.push({ instruction: '', isResult: false, isWritten: false, outer })
        continue
      }
      if (character === '\u0014' || character === '\u0015') {
        const field = fields.at(-1)
        if (look.isDeleted || !field) continue
        if (!field.isResult) endInstruction(field)
        if (character === '\u0015') fields.pop()
        continue
      }
      const isEnd = character === '\r' || character === '\f' || character === '\u0007'
      if (isEnd && !findHiding()) yield end(offset, piece.changes, character === '\u0007')
      else if (isEnd) show('\n')
      if (isEnd || look.isDeleted) continue
      const mark = marks.get(position)
      if (mark) show(mark)
      let shown = ''
      if (look.symbol) shown = formatSymbol(look.symbol.code, fonts[look.symbol.font])
      else if (character === '\u0001') {
        const form = readFormField(file.data, look.data, fields.at(-1)?.instruction ?? '')
        if (form === undefined) output.skip('picture', describePicture(fields))
        else text.add(form)
      } else if (character === '\u0008') anchors.push(position)
      else if (character === '\u000B' || character === '\u000E') shown = '\n'
      else if (character === '\u001E') shown = '-'
      else if (character >= ' ' || character === '\t') shown = toUnicode(character, fonts[look.font])
      if (look.isHidden && !findHiding()) hiddenText += shown
      else if (hiddenText) endHidden()
      if (shown) show(shown, look)
    }
  }
  // A field that never ends: nothing of it is lost.
  for (const { instruction, isResult } of fields.splice(0)) if (!isResult) text.add(instruction)
  const rest = end(Infinity, Buffer.alloc(0), false)
  if (rest.text || rest.anchors.length) yield rest
}

/** Names the program of an embedded object, which is shown as a picture: `EMBED Equation.3`. */
function describePicture(fields: Field[]): string {
  const instruction = fields.findLast(({ isResult }) => isResult)?.instruction ?? ''
  const [, program = ''] = /^\s*EMBED\s+(\S+)/i.exec(instruction) ?? []
  return program ? `图片（${/^equation/i.test(program) ? '公式 ' : ''}${program}）` : '图片'
}
