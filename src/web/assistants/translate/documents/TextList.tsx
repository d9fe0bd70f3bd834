import { clsx } from 'clsx'
import { useState, type ReactNode } from 'react'
import { VList } from 'virtua'
import type { TranslatedText, TranslationResult } from '#contract/translate/translation.ts'
import { documentsText as text } from '#web/text/translate/documents.ts'
import { NextPageError } from '#web/ui/layout/NextPageError.tsx'
import { usePagedRows } from '#web/ui/layout/usePagedRows.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Report } from './Report.tsx'
import { describeTextPlace } from './describeTextPlace.ts'
import { toReadable } from './readableText.ts'
import { useTexts } from './translation.ts'

/** `side`: source and translation beside each other; `article`: each translated paragraph below its source. */
export type TextView = 'side' | 'article'

type Props = {
  id: string
  translation: TranslationResult
  isRunning: boolean
  view: TextView
  /** Places in a web page are those of its extracted text, which mean nothing to people. */
  isLink: boolean
  isPdf: boolean
  /** The control that chooses the view. */
  chooser: ReactNode
}

/** Shows the report, and below it the texts of a document with their translations, live while it is being translated. */
export function TextList({ id, translation, isRunning, view, isLink, isPdf, chooser }: Props) {
  const query = useTexts(id, translation, isRunning)
  const texts = query.data?.pages.flatMap(({ items }) => items) ?? []
  const [target, setTarget] = useState<{ n: number } | null>(null)
  const { list, onScroll } = usePagedRows({
    query,
    rows: texts,
    target,
    // Row 0 is the report.
    scrollTo: (handle, index) => handle.scrollToIndex(index + 1, { align: 'center' }),
  })
  return (
    <>
      <VList
        ref={list}
        bufferSize={600}
        onScroll={onScroll}
        role="region"
        aria-label={text.preview}
        tabIndex={0}
        className="min-h-0 flex-1 overscroll-contain outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
      >
        <div key="report" className="mx-auto w-full max-w-6xl px-4 pt-4 pb-3 md:px-6">
          {!isRunning && translation.segments > 0 && (
            <Report translation={translation} isPdf={isPdf} onGoTo={(n) => setTarget({ n })} />
          )}
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h3 className="text-note font-medium text-ink2">{text.preview}</h3>
            {chooser}
          </div>
        </div>
        {texts.map((one, index) => (
          <Text
            key={one.n}
            text={one}
            previous={texts[index - 1]}
            view={view}
            hasPlaces={!isLink}
            isRunning={isRunning}
            isTarget={one.n === target?.n}
            target_lang={translation.target_lang}
          />
        ))}
      </VList>
      <NextPageError query={query} message={text.textsFailed} />
    </>
  )
}

type TextProps = {
  text: TranslatedText
  previous: TranslatedText | undefined
  view: TextView
  hasPlaces: boolean
  isRunning: boolean
  isTarget: boolean
  target_lang: string
}

function Text({ text: one, previous, view, hasPlaces, isRunning, isTarget, target_lang }: TextProps) {
  const { n, translation, problem, message, place } = one
  const label = hasPlaces ? describeTextPlace(place) : ''
  const isLabelled = label !== '' && (!previous || label !== describeTextPlace(previous.place))
  const isWaiting = translation === null && problem === null
  const source = (
    <p dir="auto" className="leading-7 wrap-anywhere whitespace-pre-line text-ink2">
      {toReadable(one.text)}
    </p>
  )
  const result = (
    <div>
      {isWaiting && isRunning ? (
        <p className="flex h-7 items-center">
          <Skeleton className="h-3.5 w-2/3" />
          <span className="sr-only">{text.waitingText}</span>
        </p>
      ) : isWaiting ? (
        <p className="leading-7 text-ink3">{text.untranslatedText}</p>
      ) : (
        <p
          dir="auto"
          lang={translation === null ? undefined : target_lang}
          className={clsx(
            'leading-7 wrap-anywhere whitespace-pre-line',
            view === 'article' && 'text-reading leading-reading',
            translation === null && 'text-ink3',
          )}
        >
          {toReadable(translation ?? one.text)}
        </p>
      )}
      {problem && <p className="mt-0.5 text-xs text-warning">{message}</p>}
    </div>
  )
  return (
    <article
      data-text={n}
      className={clsx(
        'mx-auto w-full px-4 md:px-6',
        view === 'article' ? 'max-w-3xl' : 'max-w-6xl',
        isTarget && 'shadow-[inset_3px_0_0_var(--accent)]',
      )}
    >
      {isLabelled && (
        <p className="flex items-center gap-3 pt-3 pb-1 text-xs text-ink3 tabular-nums">
          <span className="max-w-[80%] truncate">{label}</span>
          <span aria-hidden className="h-px flex-1 bg-line" />
        </p>
      )}
      {view === 'side' ? (
        <div className="grid gap-x-8 gap-y-0.5 border-b border-line/60 py-2 md:grid-cols-2">
          {source}
          {result}
        </div>
      ) : (
        <div className="flex flex-col gap-1 py-2.5">
          <div className="text-note">{source}</div>
          {result}
        </div>
      )}
    </article>
  )
}
