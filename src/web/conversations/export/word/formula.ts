import { Math as MathElement, XmlComponent } from 'docx'
import katex from 'katex'
import 'katex/contrib/mhchem'
import { parseMathMl } from './mathml.ts'
import { type Omml, toOmml } from './omml.ts'

/** A node of a formula as a component of the document. */
class Node extends XmlComponent {
  constructor({ name, attributes, children }: Omml) {
    super(name)
    if (attributes) this.root.push({ _attr: attributes })
    this.root.push(...children.map((child) => (typeof child === 'string' ? child : new Node(child))))
  }
}

/** `m:oMath`: a formula that can be edited in Word. */
class Formula extends MathElement {
  constructor(children: Omml[]) {
    super({ children: [] })
    this.root.push(...children.map((child) => new Node(child)))
  }
}

/** A formula from TeX; null where KaTeX cannot parse it. */
export function createFormula(tex: string, display: boolean): MathElement | null {
  const bounds = { maxExpand: 200, maxSize: 20 }
  try {
    const math = parseMathMl(katex.renderToString(tex, { output: 'mathml', displayMode: display, ...bounds }))
    return math && new Formula(toOmml(math))
  } catch {
    return null
  }
}
