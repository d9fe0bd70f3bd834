import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { Source } from './syntax/citations.ts'
import { onMarkdownClick } from './clicks.ts'
import { getHighlighterVersion, subscribeToHighlighter } from './code/highlighter.ts'
import { getFormulasVersion, subscribeToFormulas } from './formulas.ts'
import { createMarkdownView, type ShowMarkdown } from './markdownView.ts'
import './markdown.css'

type Props = {
  text: string
  /** More text is to come, so what is unfinished at its end is shown as if it were complete. */
  streaming: boolean
  /** The answer cites these by their numbers. */
  sources?: readonly Source[] | undefined
  /** The answer's other sources are hidden from the reader, and so are their numbers. */
  hidesCitations?: boolean
}

export default function MarkdownText({ text, streaming, sources, hidesCitations = false }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const show = useRef<ShowMarkdown>(null)
  const formulasVersion = useSyncExternalStore(subscribeToFormulas, getFormulasVersion)
  const highlighterVersion = useSyncExternalStore(subscribeToHighlighter, getHighlighterVersion)
  useLayoutEffect(() => {
    if (container.current) show.current ??= createMarkdownView(container.current)
    show.current?.(text, streaming, sources, hidesCitations)
  }, [text, streaming, sources, hidesCitations, formulasVersion, highlighterVersion])
  // Handles clicks on the buttons inside the HTML; the keyboard reaches those buttons themselves.
  return <div ref={container} className="md" onClick={({ nativeEvent }) => onMarkdownClick(nativeEvent)} />
}
