import { useEffect, useState } from 'react'
import { diffAnswers, type AnswerDiff, type TextRange } from './answerDiff.ts'

const HIGHLIGHT_NAME = 'differs'

/** The text of an answer on the screen, and where each part of it stands. Formulas stand there twice: once is enough. */
function readText(element: Element): { text: string; nodes: { node: Text; start: number }[] } {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('.katex-mathml, button')
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  )
  const nodes: { node: Text; start: number }[] = []
  let text = ''
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    nodes.push({ node, start: text.length })
    text += node.data
  }
  return { text, nodes }
}

/** The parts of the page that these parts of its text are. */
function toRanges({ nodes }: ReturnType<typeof readText>, parts: readonly TextRange[]): Range[] {
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

/** Marks what differs between two answers where they stand; their ids are those of messages. Null while it is not known. */
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
      const found = diffAnswers(a.text, b.text)
      CSS.highlights.set(
        HIGHLIGHT_NAME,
        new Highlight(...toRanges(a, found.first), ...toRanges(b, found.second)),
      )
      if (key !== last) setDiff(found)
      last = key
    }
    mark()
    // Colours of code and formulas may be drawn only then.
    const observer = new MutationObserver(mark)
    for (const element of [first, second]) observer.observe(element, { subtree: true, childList: true })
    return () => {
      observer.disconnect()
      CSS.highlights.delete(HIGHLIGHT_NAME)
    }
  }, [firstId, secondId])
  return diff
}
