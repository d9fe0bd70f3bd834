import { ExternalHyperlink, FootnoteReferenceRun, type IRunOptions, type ParagraphChild, TextRun } from 'docx'
import type { Token, Tokens } from 'marked'
import { exportText } from '#web/text/export.ts'
import { createFormula } from './formula.ts'
import { MONO, SHADE } from './styles.ts'
import { createPictureRun } from './pictures.ts'

/** Numbers of the footnotes of one answer, by name. */
export type FootnoteNumbers = ReadonlyMap<string, number>
type Style = Partial<IRunOptions>

const formatting: Record<string, Style> = {
  strong: { bold: true },
  em: { italics: true },
  del: { strike: true },
}
/** Raw HTML tags that format inline text. */
const htmlFormatting: Record<string, Style> = {
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

/** Converts the inline tokens of one paragraph to runs of Word. */
export async function convertInline(
  tokens: readonly Token[] | undefined,
  notes: FootnoteNumbers,
  style: Style = {},
): Promise<ParagraphChild[]> {
  const runs: ParagraphChild[] = []
  const tags: string[] = []
  for (const token of tokens ?? []) {
    const html = token.type === 'html' ? /^<(\/?)(\w+)/.exec(token.raw) : null
    if (html?.[2]) {
      const [, closing, name] = html
      if (name.toLowerCase() === 'br') runs.push(new TextRun({ break: 1 }))
      else if (closing) tags.splice(tags.lastIndexOf(name.toLowerCase()), 1)
      else tags.push(name.toLowerCase())
      continue
    }
    const now = tags.reduce((all, name) => ({ ...all, ...htmlFormatting[name] }), style)
    runs.push(...(await convertToken(token, notes, now)))
  }
  return runs
}

async function convertToken(token: Token, notes: FootnoteNumbers, style: Style): Promise<ParagraphChild[]> {
  const children = (token as Tokens.Generic).tokens
  switch (token.type) {
    case 'br':
      return [new TextRun({ break: 1 })]
    case 'codespan':
      return [createRun((token as Tokens.Codespan).text, { ...style, font: MONO, shading: SHADE })]
    case 'inlineMath':
    case 'blockMath': {
      const tex = String(token.tex)
      return [createFormula(tex, Boolean(token.display)) ?? createRun(tex, { ...style, font: MONO })]
    }
    case 'link':
      return convertLink(token as Tokens.Link, notes, style)
    case 'image':
      return convertImage(token as Tokens.Image, style)
    case 'footnoteReference': {
      const n = notes.get(String(token.name))
      return n ? [new FootnoteReferenceRun(n)] : [createRun(token.raw, style)]
    }
    case 'citation':
      return [createRun(token.raw, style)]
    default:
      if (children) return convertInline(children, notes, { ...style, ...formatting[token.type] })
      return createTextRuns((token as Tokens.Text).text ?? token.raw, style)
  }
}

const createRun = (text: string, style: Style): TextRun => new TextRun({ ...style, text })

/** Runs of a text, with its line breaks. */
export const createTextRuns = (text: string, style: Style = {}): TextRun[] =>
  text.split('\n').map((line, i) => new TextRun({ ...style, text: line, ...(i ? { break: 1 } : {}) }))

async function convertLink(
  { href, tokens }: Tokens.Link,
  notes: FootnoteNumbers,
  style: Style,
): Promise<ParagraphChild[]> {
  const isExternal = /^(?:https?:|mailto:)/i.test(href)
  const children = await convertInline(tokens, notes, isExternal ? { ...style, style: 'Hyperlink' } : style)
  return isExternal ? [new ExternalHyperlink({ link: href, children })] : children
}

async function convertImage({ href, text }: Tokens.Image, style: Style): Promise<ParagraphChild[]> {
  const picture = await createPictureRun(href, text)
  if (picture) return [picture]
  const words = createRun(
    exportText.picture(text),
    /^https?:/i.test(href) ? { ...style, style: 'Hyperlink' } : style,
  )
  return /^https?:/i.test(href) ? [new ExternalHyperlink({ link: href, children: [words] })] : [words]
}
