import { findAll, findPath, getChildren, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import { readChart } from '../office/chart.ts'
import { findShown, readDiagram } from '../office/graphics.ts'
import type { OfficePackage } from '../office/package.ts'
import { formatParagraphs } from '../office/shape-text.ts'
import type { Output } from '../reading/output.ts'
import { escapeText } from '../text/markdown.ts'

/** Reads what lies over the cells of a sheet: shapes, charts, diagrams and the labels of controls. */
export function readDrawing(file: OfficePackage, path: string, sheet: string, output: Output): void {
  const drawing = file.parse(path)
  const relations = [...file.relations(path).values()].filter(({ external }) => !external)
  const shapes = findShown(drawing, 'xdr:txBody').flatMap((body) => formatParagraphs(body))
  for (const text of [...shapes, ...listLabels(drawing)]) output.add(text, { sheet })
  for (const { type, target } of relations) {
    if (type === 'chart' || type === 'chartEx') output.add(readChart(file, target), { sheet })
    else if (type === 'diagramData') output.add(readDiagram(file, target), { sheet })
  }
  if (findAll(drawing, 'a:blip').length) output.skip('picture', sheet, { sheet })
}

/**
 * Reads comments of both kinds. A thread stands in the file a second time for old programs, as a comment of an author `tc=…`
 * (MS-XLSX 2.1.17).
 */
export function readComments(root: XmlNode | undefined): { text: string; range: string | undefined }[] {
  const authors = findAll(root, 'author').map(textOfNode)
  const comments = findAll(root, 'comment')
    .filter(({ attributes }) => !authors[Number(attributes.authorId)]?.startsWith('tc='))
    .map((comment) => ({ comment, texts: getChildren(findPath(comment, 'text')).flatMap(listRuns) }))
  const threads = findAll(root, 'threadedComment').map((comment) => ({
    comment,
    texts: findAll(comment, 'text'),
  }))
  return [...comments, ...threads]
    .map(({ comment, texts }) => ({
      text: texts.map(textOfNode).join('').trim(),
      range: comment.attributes.ref,
    }))
    .filter(({ text }) => text)
}

/** Lists the text of a run; the phonetic guide of a comment is shown on request only. */
const listRuns = (node: XmlNode): XmlNode[] =>
  node.name === 't' ? [node] : node.name === 'r' ? getChildren(node, 't') : []

/** Lists the labels of controls in a drawing of old programs (VML), where comments have no text. */
const listLabels = (drawing: XmlNode | undefined): string[] =>
  findAll(drawing, 'v:shape')
    .filter((shape) => findPath(shape, 'x:ClientData')?.attributes.ObjectType !== 'Note')
    .flatMap((shape) => findAll(shape, 'v:textbox').map((box) => escapeText(textOfNode(box).trim())))
    .filter(Boolean)

/** Elements of the text at the top and the foot of printed pages (ECMA-376 part 1, 18.3.1.46). */
const EDGES: Record<string, string> = {
  oddHeader: '页眉',
  evenHeader: '页眉',
  firstHeader: '页眉',
  oddFooter: '页脚',
  evenFooter: '页脚',
  firstFooter: '页脚',
}

/** Formats the text of a header or a footer; nothing for other elements, and where it is nothing but numbers and dates. */
export function formatEdge(name: string, code: string): string | undefined {
  const label = EDGES[name]
  const text = code
    .replace(/&(?:"[^"]*"|K[\dA-F]{6}|K\d\d[+-]\d{3}|\d+)/g, '')
    .replace(/&[LCR]/g, ' ')
    .replace(/&&|&[A-Z+-]/gi, (code) => (code === '&&' ? '&' : ''))
    .replace(/\s+/g, ' ')
    .trim()
  return label && /\p{L}/u.test(text) ? `${label}：${escapeText(text)}` : undefined
}

/** Formats the hint of a rule for the values of cells. */
export function formatHint({
  sqref = '',
  promptTitle = '',
  prompt = '',
  errorTitle = '',
  error = '',
}: Record<string, string>): string | undefined {
  const text = [promptTitle, prompt, errorTitle, error].filter((each) => each.trim()).join('：')
  return text
    ? `> 提示 ${sqref}：${escapeText(text.replaceAll('_x000a_', ' ').replace(/\s+/g, ' '))}`
    : undefined
}
