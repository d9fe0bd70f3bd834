/**
 * A part of a text: words, a placeholder that stands alone, or one around other parts. Of an `isArgument` (ICU) only the groups
 * within it, its branches, are written again, in their order.
 */
export type Piece = string | { raw: string } | PieceGroup
export type PieceGroup = { open: string; close: string; inner: Piece[]; isArgument?: true }
