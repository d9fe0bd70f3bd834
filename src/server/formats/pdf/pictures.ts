import type { PDFPageProxy } from 'pdfjs-dist'
import { escapeText } from '../text/markdown.ts'

type Node = { role?: string; alt?: string; children?: Node[] }

/** Formats the descriptions of a page's pictures and formulas, which a tagged document has for those who cannot see them. */
export async function formatPictures(page: PDFPageProxy): Promise<string> {
  const tree = (await page.getStructTree().catch(() => null)) as Node | null
  const out: string[] = []
  const visit = ({ role, alt, children = [] }: Node): void => {
    const text = escapeText((alt ?? '').replace(/\s+/g, ' ').trim())
    if (text && role === 'Figure') out.push(`![${text.replace(/[[\]]/g, ' ')}]()`)
    else if (text && role === 'Formula') out.push(text)
    for (const child of children) visit(child)
  }
  if (tree) visit(tree)
  return out.join('\n\n')
}
