// The prototype of a growing answer, measured beside ours: marked reads the whole text again at every update, each block
// is a memoised component of sanitised HTML, and code is coloured again where it has changed.
import '#web/styles/app.css'
import '#web/markdown/markdown.css'
import 'katex/dist/katex.min.css'
import DOMPurify from 'dompurify'
import { createParser } from 'eventsource-parser'
import hljs from 'highlight.js/lib/core'
import python from 'highlight.js/lib/languages/python'
import katex from 'katex'
import { Marked, type TokenizerAndRendererExtension } from 'marked'
import { memo, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'

const FLUSH_MS = 80

hljs.registerLanguage('python', python)

const render = (tex: string, displayMode: boolean) =>
  katex.renderToString(tex, { displayMode, throwOnError: false })
const formula = (
  level: 'block' | 'inline',
  mark: string,
  pattern: RegExp,
): TokenizerAndRendererExtension => ({
  name: `${level}Formula`,
  level,
  start: (src) => src.indexOf(mark),
  tokenizer(src) {
    const found = pattern.exec(src)
    return found ? { type: `${level}Formula`, raw: found[0], tex: found[1] } : undefined
  },
  renderer: ({ tex }) => render(String(tex), level === 'block'),
})
const marked = new Marked({
  gfm: true,
  extensions: [
    formula('block', '$$', /^\$\$\n?([\s\S]+?)\n?\$\$(?:\n|$)/),
    formula('inline', '$', /^\$([^$\n]+?)\$/),
  ],
})

function Code({ lang, text }: { lang: string; text: string }) {
  const html = useMemo(
    () => (hljs.getLanguage(lang) ? hljs.highlight(text, { language: lang }).value : undefined),
    [lang, text],
  )
  return (
    <div className="md-code">
      <pre>{html === undefined ? text : <code dangerouslySetInnerHTML={{ __html: html }} />}</pre>
    </div>
  )
}

const Block = memo(function Block({ raw, lang, code }: { raw: string; lang: string; code: string | null }) {
  const html = useMemo(
    () =>
      code === null
        ? DOMPurify.sanitize(marked.parse(raw) as string)
            .replaceAll('<table>', '<div class="md-table-scroll"><table>')
            .replaceAll('</table>', '</table></div>')
        : '',
    [raw, code],
  )
  return code === null ? <div dangerouslySetInnerHTML={{ __html: html }} /> : <Code lang={lang} text={code} />
})

function Markdown({ text }: { text: string }) {
  return (
    <div className="md">
      {marked
        .lexer(text)
        .map((token, i) =>
          token.type === 'space' ? null : (
            <Block
              key={i}
              raw={token.raw}
              lang={token.type === 'code' ? String(token.lang) : ''}
              code={token.type === 'code' ? String(token.text) : null}
            />
          ),
        )}
    </div>
  )
}

async function follow(onText: (text: string) => void): Promise<void> {
  let text = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') return
      text += (JSON.parse(data) as { delta_content: string }).delta_content
      timer ??= setTimeout(() => {
        timer = undefined
        onText(text)
      }, FLUSH_MS)
    },
  })
  const response = await fetch('/api/chat/completions')
  const decoder = new TextDecoder()
  for await (const bytes of response.body!) parser.feed(decoder.decode(bytes, { stream: true }))
}

function Answer() {
  const [text, setText] = useState('')
  useEffect(() => void follow(setText), [])
  useLayoutEffect(() => {
    const list = document.querySelector('#list')
    list?.scrollTo(0, list.scrollHeight)
  }, [text])
  return (
    <div id="list" className="h-dvh overflow-y-auto">
      <article aria-busy className="mx-auto max-w-3xl">
        <Markdown text={text} />
      </article>
    </div>
  )
}

createRoot(document.querySelector('#app')!).render(<Answer />)
