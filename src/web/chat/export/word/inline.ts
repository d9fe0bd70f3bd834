import { ExternalHyperlink, FootnoteReferenceRun, type IRunOptions, type ParagraphChild, TextRun } from 'docx'
import type { Token, Tokens } from 'marked'
import { exportText } from '../../../text/export.ts'
import { formulaOf } from './formula.ts'
import { MONO, SHADE } from './look.ts'
import { pictureRun } from './pictures.ts'

/** Numbers of the footnotes of one answer, by name. */
export type Notes = ReadonlyMap<string, number>
type Style = Partial<IRunOptions>

const formatting: Record<string, Style> = {
  strong: { bold: true },
  cjkStrong: { bold: true },
  em: { italics: true },
  del: { strike: true },
}
/** Raw HTML that means something in a line of text. */
const opening: Record<string, Style> = {
  sub: { subScript: true },
  sup: { superScript: true },
  b: { bold: true },
  strong: { bold: true },
  i: { italics: true },
  em: { italics: true },
  u: { underline: {} },
  s: { strike: true },
  del: { strike: true },
}

/** The inline syntax of one paragraph as runs of Word. */
export async function inline(
  tokens: readonly Token[] | undefined,
  notes: Notes,
  style: Style = {},
): Promise<ParagraphChild[]> {
  const made: ParagraphChild[] = []
  const tags: string[] = []
  for (const token of tokens ?? []) {
    const html = token.type === 'html' ? /^<(\/?)(\w+)/.exec(token.raw) : null
    if (html?.[2]) {
      const [, closing, name] = html
      if (name.toLowerCase() === 'br') made.push(new TextRun({ break: 1 }))
      else if (closing) tags.splice(tags.lastIndexOf(name.toLowerCase()), 1)
      else tags.push(name.toLowerCase())
      continue
    }
    const now = tags.reduce((all, name) => ({ ...all, ...opening[name] }), style)
    made.push(...(await one(token, notes, now)))
  }
  return made
}

async function one(token: Token, notes: Notes, style: Style): Promise<ParagraphChild[]> {
  const children = (token as Tokens.Generic).tokens
  switch (token.type) {
    case 'br':
      return [new TextRun({ break: 1 })]
    case 'codespan':
      return [run((token as Tokens.Codespan).text, { ...style, font: MONO, shading: SHADE })]
    case 'inlineMath':
    case 'blockMath': {
      const tex = String((token as Tokens.Generic).tex)
      return [
        formulaOf(tex, Boolean((token as Tokens.Generic).display)) ?? run(tex, { ...style, font: MONO }),
      ]
    }
    case 'link':
      return link(token as Tokens.Link, notes, style)
    case 'image':
      return image(token as Tokens.Image, style)
    case 'footnoteReference': {
      const n = notes.get(String((token as Tokens.Generic).name))
      return n ? [new FootnoteReferenceRun(n)] : [run(token.raw, style)]
    }
    case 'citation':
      return [run(token.raw, style)]
    default:
      if (children) return inline(children, notes, { ...style, ...formatting[token.type] })
      return lines((token as Tokens.Text).text ?? token.raw, style)
  }
}

const run = (text: string, style: Style): TextRun => new TextRun({ ...style, text })

/** A text with its line breaks. */
export const lines = (text: string, style: Style = {}): TextRun[] =>
  text.split('\n').map((line, i) => new TextRun({ ...style, text: line, ...(i ? { break: 1 } : {}) }))

async function link({ href, tokens }: Tokens.Link, notes: Notes, style: Style): Promise<ParagraphChild[]> {
  const known = /^(?:https?:|mailto:)/i.test(href)
  const children = await inline(tokens, notes, known ? { ...style, style: 'Hyperlink' } : style)
  return known ? [new ExternalHyperlink({ link: href, children })] : children
}

async function image({ href, text }: Tokens.Image, style: Style): Promise<ParagraphChild[]> {
  const picture = await pictureRun(href, text)
  if (picture) return [picture]
  const words = run(
    exportText.picture(text),
    /^https?:/i.test(href) ? { ...style, style: 'Hyperlink' } : style,
  )
  return /^https?:/i.test(href) ? [new ExternalHyperlink({ link: href, children: [words] })] : [words]
}
