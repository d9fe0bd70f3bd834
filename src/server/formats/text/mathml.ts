import { MathMLToLaTeX } from 'mathml-to-latex'

/** Writes MathML as LaTeX; a formula that is none by its own rules gives `text`. */
export function formatMathMl(xml: string, text: string): string {
  try {
    // Its parser knows the entities of XML alone.
    return MathMLToLaTeX.convert(xml.replaceAll('&nbsp;', ' ')).trim()
  } catch {
    return text.trim()
  }
}
