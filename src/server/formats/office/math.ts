import { findPath, getChildren, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'

const SYMBOLS: Record<string, string> = Object.fromEntries(
  `α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega × times ÷ div ± pm ∓ mp · cdot ∙ cdot ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∝ propto ∞ infty ∂ partial ∇ nabla ∈ in ∉ notin ⊂ subset ⊆ subseteq ⊃ supset ∪ cup ∩ cap ∅ emptyset ∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ∑ sum ∏ prod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⋀ bigwedge ⋁ bigvee … ldots ⋯ cdots ⋮ vdots ⋱ ddots √ surd ∠ angle ⊥ perp ∥ parallel ∘ circ ° circ ∼ sim ≅ cong ℝ mathbb{R} ℕ mathbb{N} ℤ mathbb{Z} ℂ mathbb{C} ′ prime ⊕ oplus ⊗ otimes`
    .split(' ')
    .reduce<[string, string][]>((pairs, word, index, all) => {
      if (index % 2 === 0) pairs.push([word, `\\${all[index + 1] ?? ''}`])
      return pairs
    }, []),
)
const ACCENTS: Record<string, string> = {
  '\u0302': 'hat',
  '\u0303': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u20D7': 'vec',
  '\u030C': 'check',
  '¯': 'overline',
  '^': 'hat',
  '~': 'tilde',
}
const FUNCTIONS = new Set(
  'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim max min sup inf det dim gcd deg arg ker Pr'.split(
    ' ',
  ),
)

/** Formats an equation of Word (OMML) as LaTeX. */
export function formatMath(node: XmlNode | undefined): string {
  return getChildren(node).map(formatElement).join('').replace(/ {2,}/g, ' ').trim()
}

function formatElement(node: XmlNode): string {
  const part = (name: string): string => formatMath(findPath(node, name))
  const property = (name: string): string | undefined => {
    const element = findPath(node, `${node.name}Pr`, name)
    return element ? (element.attributes['m:val'] ?? '') : undefined
  }
  switch (node.name) {
    case 'm:t':
    case 'w:t':
    case 'a:t':
      return formatRun(textOfNode(node))
    case 'm:r':
    case 'w:r':
      return getChildren(node).map(formatElement).join('')
    case 'w:del':
    case 'w:moveFrom':
      return ''
    case 'm:f':
      return formatFraction(part('m:num'), part('m:den'), property('m:type'))
    case 'm:sSup':
      return `${group(part('m:e'))}^{${part('m:sup')}}`
    case 'm:sSub':
      return `${group(part('m:e'))}_{${part('m:sub')}}`
    case 'm:sSubSup':
      return `${group(part('m:e'))}_{${part('m:sub')}}^{${part('m:sup')}}`
    case 'm:sPre':
      return `{}_{${part('m:sub')}}^{${part('m:sup')}}${part('m:e')}`
    case 'm:rad': {
      const degree = part('m:deg')
      return degree ? `\\sqrt[${degree}]{${part('m:e')}}` : `\\sqrt{${part('m:e')}}`
    }
    case 'm:nary': {
      const [sub, sup] = [part('m:sub'), part('m:sup')]
      return `${formatRun(property('m:chr') ?? '∫').trim()}${sub && `_{${sub}}`}${sup && `^{${sup}}`}${sub || sup ? '' : ' '}${part('m:e')}`
    }
    case 'm:d': {
      const inner = getChildren(node, 'm:e')
        .map(formatMath)
        .join(property('m:sepChr') ?? '|')
      return `\\left${delimiter(property('m:begChr') ?? '(')}${inner}\\right${delimiter(property('m:endChr') ?? ')')}`
    }
    case 'm:func':
      return `${formatFunction(part('m:fName'))}${part('m:e')}`
    case 'm:limLow':
      return `${formatFunction(part('m:e')).trim()}_{${part('m:lim')}}`
    case 'm:limUpp':
      return `\\overset{${part('m:lim')}}{${part('m:e')}}`
    case 'm:acc':
      return `\\${ACCENTS[property('m:chr') ?? '\u0302'] ?? 'hat'}{${part('m:e')}}`
    case 'm:bar':
      return property('m:pos') === 'top' ? `\\overline{${part('m:e')}}` : `\\underline{${part('m:e')}}`
    case 'm:groupChr':
      return property('m:pos') === 'top' ? `\\overbrace{${part('m:e')}}` : `\\underbrace{${part('m:e')}}`
    case 'm:m': {
      const rows = getChildren(node, 'm:mr').map((row) => getChildren(row, 'm:e').map(formatMath).join(' & '))
      return `\\begin{matrix}${rows.join(' \\\\ ')}\\end{matrix}`
    }
    case 'm:eqArr':
      return `\\begin{aligned}${getChildren(node, 'm:e').map(formatMath).join(' \\\\ ')}\\end{aligned}`
    default:
      return node.name.endsWith('Pr') ? '' : formatMath(node)
  }
}

const formatRun = (text: string): string =>
  Array.from(text, (character) => {
    const symbol = SYMBOLS[character]
    if (symbol) return `${symbol} `
    return /[{}%#$&_]/.test(character) ? `\\${character}` : character
  }).join('')

function formatFraction(num: string, den: string, type: string | undefined): string {
  if (type === 'lin') return `${num}/${den}`
  return type === 'noBar' ? `\\genfrac{}{}{0pt}{}{${num}}{${den}}` : `\\frac{${num}}{${den}}`
}

const formatFunction = (name: string): string => {
  const [word = ''] = /^[a-z]+/i.exec(name) ?? []
  return FUNCTIONS.has(word) ? `\\${name} ` : name
}

/** Puts the base of an exponent or index in braces where it has several parts. */
const group = (text: string): string => (/^\\frac|^[^\\{]{2,}$/.test(text) ? `{${text}}` : text)
const delimiter = (character: string): string =>
  ({
    '': '.',
    '{': '\\{',
    '}': '\\}',
    '⌈': '\\lceil ',
    '⌉': '\\rceil ',
    '⌊': '\\lfloor ',
    '⌋': '\\rfloor ',
    '‖': '\\|',
  })[character] ?? character
