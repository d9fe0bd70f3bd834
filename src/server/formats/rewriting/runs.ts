import type { FixedNode, GroupNode, Node, Shell, TextNode } from './blocks.ts'

/** A run of a paragraph: texts and other nodes among them in one format. */
export type Run = {
  kind: 'run'
  start: number
  end: number
  shell: Shell
  /** Blanks of its format can be seen, e.g. underlined ones. */
  isVisible: boolean
  nodes: (TextNode | FixedNode)[]
  /** The element that it stands in: runs of two elements are never one group. */
  parent: unknown
}

/**
 * Groups a paragraph's runs: those in the format of most of its text are its text, whatever else divides them; those in another
 * format become groups; runs without text stay as they are.
 */
export function groupRuns(items: (Run | Node)[]): Node[] {
  const base = findBase(items)
  const nodes: Node[] = []
  let group: (GroupNode & { key: string; parent: unknown }) | undefined
  const end = (): void => {
    if (group) nodes.push(closeGroup(group))
    group = undefined
  }
  for (const item of items) {
    if (item.kind !== 'run') {
      end()
      nodes.push(item)
      continue
    }
    const text = textOf(item)
    if (!text) {
      const fixed = toFixed(item)
      if (fixed) {
        end()
        nodes.push(fixed)
      }
      continue
    }
    const isBlank = item.shell.key !== base && BLANK.test(text) && !item.isVisible
    const key = isBlank ? (group?.key ?? base) : item.shell.key
    if (key === base) {
      end()
      nodes.push(...item.nodes)
    } else if (group?.key === key && group.parent === item.parent) {
      group.inner.push(...item.nodes)
      group.end = item.end
    } else {
      end()
      const { start, parent } = item
      group = { kind: 'group', start, end: item.end, inner: [...item.nodes], key, parent }
    }
  }
  end()
  return nodes
}

/** White space and punctuation take the format of the text before them, unless their own can be seen. */
const BLANK = /^[\s\u200B\p{Ps}\p{Pe}\p{Pi}\p{Pf}.,;:!?，。；：！？、…'"-]*$/u

const textOf = (run: Run): string => run.nodes.map((node) => (node.kind === 'text' ? node.text : '')).join('')

function findBase(items: (Run | Node)[]): string {
  const chars = new Map<string, number>()
  for (const item of items) {
    if (item.kind !== 'run') continue
    const length = textOf(item).trim().length
    if (length) chars.set(item.shell.key, (chars.get(item.shell.key) ?? 0) + length)
  }
  return [...chars].reduce((best, each) => (each[1] > best[1] ? each : best), ['', 0])[0]
}

/** Makes a run without text one node, which moves as a whole in its format. */
function toFixed({ start, end, nodes }: Run): FixedNode | undefined {
  const fixed = nodes.filter((node) => node.kind === 'fixed')
  if (fixed.length === 0) return undefined
  return { kind: 'fixed', start, end, copied: fixed.every((node) => node.copied) }
}

/** Closes a group. Without text it is one thing: visible blanks are a line to write on, symbols are boxes to tick. */
function closeGroup({ start, end, inner }: GroupNode): Node {
  const hasText = inner.some((node) => node.kind === 'text' && /[\p{L}\p{N}\p{P}]/u.test(node.text))
  return hasText ? { kind: 'group', start, end, inner } : { kind: 'fixed', start, end, copied: true }
}
