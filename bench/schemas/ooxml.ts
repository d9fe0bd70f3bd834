import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findAll, getChildren, parseXml } from '#server/formats/containers/xml.ts'
import type { XmlNode } from '#server/formats/containers/xml.ts'

/**
 * Reduces the schemas of Office Open XML to the elements that hold text, directly or within others, for
 * `test/formats/schemas.test.ts`: `node bench/schemas/ooxml.ts <folder with the .xsd files of ECMA-376, part 1 or 4> <output.json>`.
 */
const [folder = '', output = ''] = process.argv.slice(2)

const PREFIXES: Record<string, string> = {
  'dml-chart': 'c',
  'dml-chartDrawing': 'cdr',
  'dml-diagram': 'dgm',
  'dml-lockedCanvas': 'lc',
  'dml-main': 'a',
  'dml-picture': 'pic',
  'dml-spreadsheetDrawing': 'xdr',
  'dml-wordprocessingDrawing': 'wp',
  pml: 'p',
  'shared-math': 'm',
  sml: 's',
  'vml-main': 'v',
  'vml-officeDrawing': 'o',
  'vml-spreadsheetDrawing': 'x',
  'vml-wordprocessingDrawing': 'w10',
  wml: 'w',
}

type Schema = { prefix: string; root: XmlNode; prefixes: Map<string, string> }

const schemas = readdirSync(folder)
  .map((file) => ({ file, prefix: PREFIXES[file.replace('.xsd', '')] }))
  .flatMap(({ file, prefix }): Schema[] => {
    const [root] = getChildren(parseXml(readFileSync(join(folder, file))))
    return prefix && root ? [{ prefix, root, prefixes: new Map() }] : []
  })
const prefixOf = new Map(schemas.map(({ root, prefix }) => [root.attributes.targetNamespace ?? '', prefix]))
for (const { root, prefixes, prefix } of schemas) {
  for (const [name, value] of Object.entries(root.attributes)) {
    if (name === 'xmlns') prefixes.set('', prefixOf.get(value) ?? '')
    if (name.startsWith('xmlns:')) prefixes.set(name.slice(6), prefixOf.get(value) ?? '')
  }
  if (!prefixes.has('')) prefixes.set('', prefix)
}

/** Declarations by their kind and qualified name: `complexType w:CT_P`. */
const declarations = new Map<string, { node: XmlNode; schema: Schema }>()
for (const schema of schemas) {
  for (const node of getChildren(schema.root)) {
    const kind = node.name.replace(/^.*:/, '')
    declarations.set(`${kind} ${schema.prefix}:${node.attributes.name ?? ''}`, { node, schema })
  }
}

const qualify = (name: string, { prefixes }: Schema): string => {
  const [local = '', prefix = ''] = name.split(':').reverse()
  return /^xsd?$/.test(prefix) ? `xsd:${local}` : `${prefixes.get(prefix) ?? prefix}:${local}`
}

type Element = { name: string; text: boolean; children: Element[] }
const elements = new Map<string, Element>()

/** Tells whether a simple type is free text, and no number, date, name or choice. */
function isText(type: string, depth = 0): boolean {
  if (type.startsWith('xsd:')) return /^xsd:(string|token|normalizedString)$/.test(type)
  const declaration = declarations.get(`simpleType ${type}`)
  if (!declaration || depth > 9) return type.endsWith(':ST_Xstring') || type.endsWith(':ST_String')
  const { node, schema } = declaration
  if (findAll(node, 'xsd:enumeration').length || findAll(node, 'xsd:pattern').length) return false
  return findAll(node, 'xsd:restriction').some(({ attributes }) =>
    isText(qualify(attributes.base ?? '', schema), depth + 1),
  )
}

function readElement(node: XmlNode, schema: Schema): Element {
  if (node.attributes.ref) {
    const reference = qualify(node.attributes.ref, schema)
    const declaration = declarations.get(`element ${reference}`)
    return declaration
      ? readElement(declaration.node, declaration.schema)
      : { name: reference, text: false, children: [] }
  }
  const name = `${schema.prefix}:${node.attributes.name}`
  const type = node.attributes.type ? qualify(node.attributes.type, schema) : ''
  const key = `${name} ${type || findAll(schema.root, 'xsd:element').indexOf(node)}`
  const known = elements.get(key)
  if (known) return known
  const element: Element = { name, text: isText(type), children: [] }
  elements.set(key, element)
  const declaration = declarations.get(`complexType ${type}`) ?? { node, schema }
  readContent(declaration.node, declaration.schema, element, 0)
  return element
}

function readContent(node: XmlNode, schema: Schema, element: Element, depth: number): void {
  if (depth > 30) return
  if (node.attributes.mixed === 'true') element.text = true
  for (const child of getChildren(node)) {
    const { base, ref } = child.attributes
    if (child.name === 'xsd:element') {
      const each = readElement(child, schema)
      if (!element.children.includes(each)) element.children.push(each)
    } else if (child.name === 'xsd:group' && ref) {
      const group = declarations.get(`group ${qualify(ref, schema)}`)
      if (group) readContent(group.node, group.schema, element, depth + 1)
    } else if (child.name !== 'xsd:attribute') {
      if (base) {
        const type = qualify(base, schema)
        if (isText(type)) element.text = true
        const parent = declarations.get(`complexType ${type}`)
        if (parent) readContent(parent.node, parent.schema, element, depth + 1)
      }
      readContent(child, schema, element, depth + 1)
    }
  }
}

for (const { node, schema } of declarations.values())
  if (node.name === 'xsd:element') readElement(node, schema)

/** Elements that hold text, or elements that do. */
const holders = new Set([...elements.values()].filter(({ text }) => text))
for (let before = -1; before !== holders.size;) {
  before = holders.size
  for (const element of elements.values())
    if (element.children.some((child) => holders.has(child))) holders.add(element)
}
const ids = new Map([...holders].map((element, index) => [element, index]))
const list = [...holders].map(({ name, text, children }) => [
  name,
  text ? 1 : 0,
  children.flatMap((child) => ids.get(child) ?? []),
])
writeFileSync(output, `${JSON.stringify(list)}\n`)
process.stdout.write(`${elements.size} elements, ${holders.size} hold text\n`)
