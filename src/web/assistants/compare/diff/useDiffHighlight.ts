import { useEffect, useState } from 'react'
import { readShownText, type ShownText } from '#web/core/shownText.ts'
import { diffAnswers, type AnswerDiff, type TextRange } from './answerDiff.ts'

const HIGHLIGHT_NAME = 'differs'

/** The text of an answer on the screen. Formulas are in the page twice, so one copy is skipped. */
const readText = (element: Element): ShownText => readShownText(element, '.katex-mathml, button')

/** The page's ranges for parts of its text. */
function toRanges({ nodes }: ShownText, parts: readonly TextRange[]): Range[] {
  return nodes.flatMap(({ node, start }) =>
    parts
      .filter((part) => part.start < start + node.length && part.end > start)
      .map((part) => {
        const range = new Range()
        range.setStart(node, Math.max(0, part.start - start))
        range.setEnd(node, Math.min(node.length, part.end - start))
        return range
      }),
  )
}

/** Marks the differences between two answers, given by message ids, where they stand. Null while they are not computed. */
export function useDiffHighlight(firstId: string, secondId: string): AnswerDiff | null {
  const [diff, setDiff] = useState<AnswerDiff | null>(null)
  useEffect(() => {
    const find = (id: string) => document.querySelector(`[data-answer="${CSS.escape(id)}"] .md`)
    const [first, second] = [find(firstId), find(secondId)]
    if (!first || !second) return
    let last = ''
    const mark = () => {
      const [a, b] = [readText(first), readText(second)]
      const key = `${a.text}\n${b.text}`
      const nextDiff = diffAnswers(a.text, b.text)
      CSS.highlights.set(
        HIGHLIGHT_NAME,
        new Highlight(...toRanges(a, nextDiff.first), ...toRanges(b, nextDiff.second)),
      )
      if (key !== last) setDiff(nextDiff)
      last = key
    }
    mark()
    // Colours of code and formulas may be drawn only after this.
    const observer = new MutationObserver(mark)
    for (const element of [first, second]) observer.observe(element, { subtree: true, childList: true })
    return () => {
      observer.disconnect()
      CSS.highlights.delete(HIGHLIGHT_NAME)
    }
  }, [firstId, secondId])
  return diff
}
