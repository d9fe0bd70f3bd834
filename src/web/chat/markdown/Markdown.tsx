import { memo, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type Block, type Blocks, definitions, grow, inGroups } from './blocks.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { formulasReady, watchFormulas } from './formulas.ts'
import { mend, openFence } from './mend.ts'
import { onMarkdownClick } from './clicks.ts'
import { blockNodes } from './render.ts'
import { sync } from './sync.ts'
import './markdown.css'

const HtmlBlock = memo(function HtmlBlock({ markdown, defs }: { markdown: string; defs: string }) {
  // A block without formulas takes no part in the change when KaTeX arrives.
  const formulas = useSyncExternalStore(watchFormulas, /[$\\]/.test(markdown) ? formulasReady : never)
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (place.current) sync(place.current, blockNodes(markdown, defs))
  }, [markdown, defs, formulas])
  return <div ref={place} className="md-block" />
})
const never = () => false

type BlockProps = { block: Block; defs: string; last: boolean }

const BlockView = memo(function BlockView({ block, defs, last }: BlockProps) {
  if (block.code !== null) {
    return <CodeBlock code={block.code} info={block.lang} open={last && openFence(block.raw)} />
  }
  if (block.type === 'def') return null
  return <HtmlBlock markdown={last ? mend(block) : block.raw} defs={block.raw.includes('[') ? defs : ''} />
})

type GroupProps = { blocks: readonly Block[]; defs: string; open: boolean }

/** Some blocks of an answer. `open`: the last of them may still grow. */
const Group = memo(function Group({ blocks, defs, open }: GroupProps) {
  return blocks.map((block, i) => (
    // A block is its place in the answer: text is only ever added behind it.
    <BlockView key={i} block={block} defs={defs} last={open && i === blocks.length - 1} />
  ))
})

/** An answer. `streaming`: more text is to come, so what is unfinished at its end is shown as if it were complete. */
export default function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  const kept = useRef<{ blocks?: Blocks; groups: Block[][] }>({ groups: [] })
  const { groups, defs } = useMemo(() => {
    const blocks = grow(kept.current.blocks, text)
    kept.current = { blocks, groups: inGroups(blocks.blocks, kept.current.groups) }
    return { groups: kept.current.groups, defs: definitions(blocks.blocks) }
  }, [text])
  return (
    // Clicks on the buttons inside the HTML are heard here; the buttons themselves are what the keyboard reaches.
    <div className="md" onClick={onMarkdownClick}>
      {groups.map((blocks, i) => (
        <Group key={i} blocks={blocks} defs={defs} open={streaming && i === groups.length - 1} />
      ))}
    </div>
  )
}
