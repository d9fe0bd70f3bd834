import { findAll, findPath, getChildren, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import { escapeText, formatTable } from '../text/markdown.ts'
import type { OfficePackage } from './package.ts'
import { formatShapeText } from './shape-text.ts'

/** Most points of a chart that are written as a table. */
const MAX_POINTS = 500

/** Values by their indexes; a bubble has a size beside its value. */
type Points = Map<number, string>
type Series = { name: string; labels: Points; values: Points; sizes: Points }

/** Reads a chart: its title, a table of its values (categories by series), and every other text that it shows. */
export function readChart(file: OfficePackage, path: string | undefined): string {
  const root = file.parse(path)
  const charts = findAll(root, 'c:chart').flatMap((chart) => findPath(chart, 'c:title') ?? [])
  const title = listTexts(charts[0] ?? findAll(root, 'cx:title')[0]).join(' ')
  const series = findAll(root, 'cx:chart').length ? readExtendedSeries(root) : readSeries(root)
  const tables = groupByLabels(series).map(formatSeries).filter(Boolean)
  const drawing = path ? file.related(path, 'chartUserShapes') : undefined
  const written = [title, ...tables].join('\n')
  const texts = new Set([
    ...listTexts(root),
    ...series.map(({ name }) => name),
    ...listTexts(file.parse(drawing)),
  ])
  const others = [...texts].filter((text) => text && !written.includes(text))
  return [title && `**${title}**`, ...tables, others.join('\n')].filter(Boolean).join('\n\n')
}

/** Lists the texts of titles, labels and shapes, which a chart has of its own or takes from cells. */
const listTexts = (node: XmlNode | undefined): string[] =>
  [
    ...findAll(node, 'a:p').map(formatShapeText),
    ...findAll(node, 'c:tx').map((text) => [...readPoints(text).values()].map(escapeText).join(' ')),
    ...findAll(node, 'c:trendline').map((line) => escapeText(textOfNode(findPath(line, 'c:name')))),
  ].filter(Boolean)

/** Groups series that have the same categories; one without any has those of the first. */
function groupByLabels(series: Series[]): Series[][] {
  const groups = new Map<string, Series[]>()
  for (const each of series) {
    const labels = each.labels.size ? each.labels : (series[0]?.labels ?? each.labels)
    const key = JSON.stringify([...labels])
    groups.set(key, [...(groups.get(key) ?? []), { ...each, labels }])
  }
  return [...groups.values()]
}

function formatSeries(series: Series[]): string {
  const counts = series.map(({ labels, values, sizes }) => {
    const indexes = [...labels.keys(), ...values.keys(), ...sizes.keys()]
    return Math.max(-1, ...indexes) + 1
  })
  const formatValues = ({ values, sizes }: Series, point: number): string =>
    [values.get(point) ?? '', sizes.get(point) ?? ''].filter(Boolean).join(' × ')
  const rows = Array.from({ length: Math.min(MAX_POINTS, Math.max(0, ...counts)) }, (_, point) => [
    series[0]?.labels.get(point) ?? String(point + 1),
    ...series.map((each) => formatValues(each, point)),
  ])
  const names = series.map(({ name }, index) => name || `系列 ${index + 1}`)
  return rows.length ? formatTable([['', ...names], ...rows].map((row) => row.map(escapeText))) : ''
}

const readSeries = (root: XmlNode | undefined): Series[] =>
  findAll(findAll(root, 'c:plotArea')[0], 'c:ser').map((series) => ({
    name: readPoints(findPath(series, 'c:tx')).get(0) ?? '',
    labels: readPoints(findPath(series, 'c:cat') ?? findPath(series, 'c:xVal')),
    values: readPoints(findPath(series, 'c:val') ?? findPath(series, 'c:yVal')),
    sizes: readPoints(findPath(series, 'c:bubbleSize')),
  }))

/** Reads the series of charts of newer kinds, whose data stand before them (MS-ODRAWXML 2.24.3). */
function readExtendedSeries(root: XmlNode | undefined): Series[] {
  const data = new Map(findAll(root, 'cx:data').map((each) => [each.attributes.id, each]))
  return findAll(root, 'cx:series').map((series) => {
    const source = data.get(findPath(series, 'cx:dataId')?.attributes.val ?? '')
    return {
      name: textOfNode(findAll(findPath(series, 'cx:tx'), 'cx:v')[0]),
      labels: readPoints(findPath(source, 'cx:strDim')),
      values: readPoints(findPath(source, 'cx:numDim')),
      sizes: new Map(),
    }
  })
}

/** Reads values by their indexes, as the file keeps them beside the reference to the cells; levels of categories are joined. */
function readPoints(node: XmlNode | undefined): Points {
  const points = [...findAll(node, 'c:pt'), ...findAll(node, 'cx:pt')].slice(0, MAX_POINTS)
  const values: Points = new Map()
  if (points.length === 0) {
    const value = getChildren(node, 'c:v').map(textOfNode).join('')
    return value ? values.set(0, value) : values
  }
  for (const point of points) {
    const index = Number(point.attributes.idx)
    if (!(index >= 0 && index < MAX_POINTS)) continue
    // The innermost level of the categories comes first.
    const value = formatValue(textOfNode(findPath(point, 'c:v') ?? point).trim())
    const inner = values.get(index)
    values.set(index, inner === undefined ? value : `${value} ${inner}`)
  }
  return values
}

/** Rounds to 12 digits: files have 0.30000000000000004 for 0.3. */
const formatValue = (value: string): string =>
  /^-?\d+\.\d{6,}/.test(value) ? String(Number(Number(value).toPrecision(12))) : value
