import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export { toBlockquote } from './blockquote.ts'
export { getLastCodeBlock } from './code/lastCodeBlock.ts'
// Used by exported files that look the same as the screen.
export { waitForHighlighter } from './code/highlighter.ts'
export { drawDiagram } from './diagrams/drawDiagram.ts'
export { waitForDiagrams } from './diagrams/showDiagram.ts'
export { waitForFormulas } from './formulas.ts'
export { createMarkdownView } from './markdownView.ts'
export type { AlertKind } from './syntax/alerts.ts'
export { parseLanguage } from './syntax/codeHtml.ts'
export { toCsv } from './tableExport.ts'
export { lexMarkdown } from './syntax/boundedLexer.ts'

/** Shows Markdown; plain text until its code is loaded, which begins with the first code that shows any. */
export const Markdown = lazyComponent(() => import('./MarkdownText.tsx'), {
  eager: true,
  silent: true,
  fallback: ({ text }) => (
    <p className="text-reading leading-reading wrap-anywhere whitespace-pre-wrap">{text}</p>
  ),
})
