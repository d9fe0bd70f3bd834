import { elements, parseElements } from '../rewriting/xml.ts'
import type { XmlElement } from '../rewriting/xml.ts'

/** A text of XLIFF with the elements that hold it, and whether it is to be translated. */
export type XliffUnit = {
  /** Element that has the state: `target` of 1.2, `segment` of 2.x. */
  segment: XmlElement
  source: XmlElement
  target: XmlElement | undefined
  /** Element whose content is translated: of 1.2 the source as it was cut into sentences, where it was. */
  content: XmlElement
  isTranslatable: boolean
  isApproved: boolean
}
export type Xliff = { root: XmlElement; files: XmlElement[]; isVersion2: boolean; units: XliffUnit[] }

/** An element's name without the prefix of its namespace. */
export const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1)
const findLocal = (element: XmlElement, name: string): XmlElement | undefined =>
  elements(element).find((each) => localName(each) === name)

/** Parses XLIFF 1.2 and 2.x (OASIS): the units in their order, also those that are not to be translated. */
export function parseXliff(text: string): Xliff | undefined {
  const root = parseElements(text).find((element) => localName(element) === 'xliff')
  if (!root) return undefined
  const isVersion2 = root.attributes.version?.startsWith('2') === true
  const files = elements(root).filter((element) => localName(element) === 'file')
  const units: XliffUnit[] = []
  for (const file of files) collect(file, true, units)
  return { root, files, isVersion2, units }
}

function collect(element: XmlElement, isInherited: boolean, units: XliffUnit[], isApproved = false): void {
  const { translate, approved } = element.attributes
  const isTranslatable = translate ? translate === 'yes' : isInherited
  const name = localName(element)
  if (name === 'trans-unit' || name === 'segment') {
    const source = findLocal(element, 'source')
    if (source)
      units.push({
        segment: element,
        source,
        target: findLocal(element, 'target'),
        content: findLocal(element, 'seg-source') ?? source,
        isTranslatable,
        isApproved: isApproved || approved === 'yes',
      })
  } else if (/^(file|body|group|unit|bin-unit)$/.test(name))
    for (const child of elements(element)) collect(child, isTranslatable, units, approved === 'yes')
}
