/**
 * The markup that a text needs where there was none: a run with its format, and the element of its text. Runs of one key look the
 * same.
 */
export type Shell = { key: string; open: string; close: string; text: [open: string, close: string] }

/** A stretch of the source from `start` to `end`; numbers count UTF-16 units. */
export type Range = { start: number; end: number }

/** A text that may be replaced; `shell` is its run, in formats that have runs. */
export type TextNode = Range & { kind: 'text'; text: string; shell?: Shell }

/** A node that stays as it is. `shell`: the run that it shares with others. `copied`: it stands in a second language as well. */
export type FixedNode = Range & { kind: 'fixed'; shell?: Shell; copied?: boolean }

/** Text of another format, or a link. `copy`: the markup around its text in a second language. */
export type GroupNode = Range & { kind: 'group'; inner: Node[]; copy?: { open: string; close: string } }

export type Node = TextNode | FixedNode | GroupNode
