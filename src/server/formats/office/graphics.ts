import { findAll, isNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import { readChart } from './chart.ts'
import type { OfficePackage, Relation } from './package.ts'
import { formatShapeText, getAlternative } from './shape-text.ts'

/** Reads the charts and the diagrams that a drawing refers to. */
export function readGraphics(
  drawing: XmlNode,
  file: OfficePackage,
  relations: Map<string, Relation>,
): string[] {
  const getTarget = (id: string | undefined): string | undefined => relations.get(id ?? '')?.target
  const charts = [...findShown(drawing, 'c:chart'), ...findShown(drawing, 'cx:chart')]
  const diagrams = findShown(drawing, 'dgm:relIds')
  return [
    ...charts.map(({ attributes }) => readChart(file, getTarget(attributes['r:id']))),
    ...diagrams.map(({ attributes }) => readDiagram(file, getTarget(attributes['r:dm']))),
  ].filter(Boolean)
}

/** Reads the texts of a diagram (SmartArt) as a list. */
export const readDiagram = (file: OfficePackage, path: string | undefined): string =>
  findAll(file.parse(path), 'a:p')
    .map(formatShapeText)
    .filter(Boolean)
    .map((text) => `- ${text.replaceAll('\n', ' ')}`)
    .join('\n')

/** Finds the elements of a name below a node, without those that only old programs show. */
export function findShown(node: XmlNode | undefined, name: string): XmlNode[] {
  const children = (node?.children ?? []).filter(isNode)
  return children
    .flatMap((child) => (child.name === 'mc:AlternateContent' ? getAlternative(child) : [child]))
    .flatMap((child) => (child.name === name ? [child] : findShown(child, name)))
}
