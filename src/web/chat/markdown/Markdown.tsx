import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { Source } from './citations.ts'
import { onMarkdownClick } from './clicks.ts'
import { coloursVersion, watchColours } from './colours.ts'
import { formulasReady, watchFormulas } from './formulas.ts'
import { markdownView, type Show } from './view.ts'
import './markdown.css'

type Props = {
  text: string
  /** More text is to come, so what is unfinished at its end is shown as if it were complete. */
  streaming: boolean
  /** What the answer cites: `[1]` in its text leads to the first one. */
  sources?: readonly Source[] | undefined
}

/** An answer. */
export default function Markdown({ text, streaming, sources }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const show = useRef<Show>(null)
  const formulas = useSyncExternalStore(watchFormulas, formulasReady)
  const colours = useSyncExternalStore(watchColours, coloursVersion)
  useLayoutEffect(() => {
    if (place.current) show.current ??= markdownView(place.current)
    show.current?.(text, streaming, sources)
  }, [text, streaming, sources, formulas, colours])
  // Clicks on the buttons inside the HTML are heard here; the buttons themselves are what the keyboard reaches.
  return <div ref={place} className="md" onClick={({ nativeEvent }) => onMarkdownClick(nativeEvent)} />
}
