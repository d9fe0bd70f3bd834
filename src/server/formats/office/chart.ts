import { findAll, findPath, getChildren, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import { escapeText, formatTable } from '../text/markdown.ts'

/** Most points of a chart that are written as a table. */
const MAX_POINTS = 500

/** Formats a chart as its title and a table of its values: categories by series. */
export function formatChart(chart: XmlNode | undefined): string {
  const root = findPath(chart, 'c:chartSpace', 'c:chart')
  const title = findAll(findPath(root, 'c:title'), 'a:t').map(textOfNode).join('')
  const series = findAll(findPath(root, 'c:plotArea'), 'c:ser')
  const names = series.map((each, index) => readPoints(findPath(each, 'c:tx')).get(0) ?? `系列 ${index + 1}`)
  const values = series.map((each) => readPoints(findPath(each, 'c:val') ?? findPath(each, 'c:yVal')))
  const labels = readPoints(findPath(series[0], 'c:cat') ?? findPath(series[0], 'c:xVal'))
  const count = Math.min(MAX_POINTS, Math.max(0, ...values.map((each) => Math.max(-1, ...each.keys()) + 1)))
  const rows = Array.from({ length: count }, (_, point) => [
    labels.get(point) ?? String(point + 1),
    ...values.map((each) => each.get(point) ?? ''),
  ])
  const table = rows.length ? formatTable([['', ...names], ...rows].map((row) => row.map(escapeText))) : ''
  return [title && `**${escapeText(title)}**`, table].filter(Boolean).join('\n\n')
}

/** Reads values by their indexes, as the file keeps them beside the reference to the cells. */
function readPoints(node: XmlNode | undefined): Map<number, string> {
  const points = findAll(node, 'c:pt').slice(0, MAX_POINTS)
  if (points.length === 0 && node) {
    const value = getChildren(node, 'c:v').map(textOfNode).join('')
    return value ? new Map([[0, value]]) : new Map<number, string>()
  }
  const entries = points.map((point): [number, string] => {
    const value = textOfNode(findPath(point, 'c:v'))
    return [Number(point.attributes.idx), formatValue(value)]
  })
  return new Map(entries.filter(([index]) => index >= 0 && index < MAX_POINTS))
}

/** Rounds to 12 digits: files have 0.30000000000000004 for 0.3. */
const formatValue = (value: string): string =>
  /^-?\d+\.\d{6,}/.test(value) ? String(Number(Number(value).toPrecision(12))) : value
