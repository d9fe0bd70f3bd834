import { memo, useRef, useSyncExternalStore } from 'react'
import { chatText } from '../../text/chat.ts'
import { languageOf } from './codeHtml.ts'
import { colour, coloursVersion, watchColours } from './colours.ts'
import { mendCode } from './mend.ts'

/** Below this many characters an open block is coloured anew with every update. */
const SMALL = 300

type Coloured = { chars: number; html: string; lang: string; version: number }

/**
 * While code grows, only its new end is plain: colouring everything again at each update would cost more and more, so
 * it waits until an eighth has been added.
 */
function useColoured(code: string, lang: string, open: boolean): { html: string; rest: string } {
  const version = useSyncExternalStore(watchColours, coloursVersion)
  const last = useRef<Coloured>(null)
  const reusable =
    open &&
    last.current &&
    last.current.lang === lang &&
    last.current.version === version &&
    last.current.chars <= code.length &&
    (code.length === last.current.chars || (code.length > SMALL && code.length < last.current.chars * 1.125))
  if (!reusable) last.current = { chars: code.length, html: colour(code, lang), lang, version }
  const { html = '', chars = 0 } = last.current ?? {}
  return { html, rest: code.slice(chars) }
}

/** A code block with its language, a copy button (see Markdown.tsx) and colours. `open`: its end has not arrived. */
export const CodeBlock = memo(function CodeBlock(props: { code: string; info: string; open: boolean }) {
  const code = props.open ? mendCode(props.code) : props.code
  const lang = languageOf(props.info)
  const { html, rest } = useColoured(code, lang, props.open)
  return (
    <div className="md-code">
      <div className="md-code-head">
        <span>{lang || chatText.code}</span>
        <button type="button" className="md-copy">
          {chatText.copy}
        </button>
      </div>
      <pre tabIndex={0}>
        <code>
          <span dangerouslySetInnerHTML={{ __html: html }} />
          {rest}
        </code>
      </pre>
    </div>
  )
})
