import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { onMarkdownClick } from './clicks.ts'
import { coloursVersion, watchColours } from './colours.ts'
import { formulasReady, watchFormulas } from './formulas.ts'
import { markdownView, type Show } from './view.ts'
import './markdown.css'

/** An answer. `streaming`: more text is to come, so what is unfinished at its end is shown as if it were complete. */
export default function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  const show = useRef<Show>(null)
  const formulas = useSyncExternalStore(watchFormulas, formulasReady)
  const colours = useSyncExternalStore(watchColours, coloursVersion)
  useLayoutEffect(() => {
    if (place.current) show.current ??= markdownView(place.current)
    show.current?.(text, streaming)
  }, [text, streaming, formulas, colours])
  // Clicks on the buttons inside the HTML are heard here; the buttons themselves are what the keyboard reaches.
  return <div ref={place} className="md" onClick={onMarkdownClick} />
}
