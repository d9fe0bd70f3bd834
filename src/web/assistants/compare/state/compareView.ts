import type { Message } from '#web/conversations/conversations.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { shuffleBlind } from './blindOrder.ts'
import { findAnswer, listTurns, type Column, type Comparison } from './comparison.ts'
import { compared, getFigures, sortByFigure, type Figures, type SortKey } from './figures.ts'

/** A column as shown: with the model's name, or a letter while names are hidden. */
export type ShownColumn = {
  column: Column
  name: string
  /** Answer to the newest turn. */
  answer: Message | undefined
  /** Figures of that answer in which no other column is as good, separated by commas. */
  best: string
}

export type CompareView = {
  columns: readonly ShownColumn[]
  turns: readonly Message[]
  newest: Message | undefined
  /** Names and figures are hidden: the comparison is blind and the newest turn has no vote. */
  isHidden: boolean
  /** The first turn shown while names are hidden: after an earlier vote, the authors of the turns before it are known. */
  firstShown: string | undefined
}

/** Order, names and figures of a comparison as shown. `getName` gives a model's display name. */
export function createView(
  { session, columns, blind, votes }: Comparison,
  sort: SortKey,
  getName: (model: string) => string,
): CompareView {
  const turns = listTurns(columns)
  const newest = turns.at(-1)
  const isHidden = blind && newest !== undefined && !votes[newest.chat_id]
  const lastVoted = turns.findLastIndex(({ chat_id }) => votes[chat_id])
  const getAnswer = (column: Column) => newest && findAnswer(column, newest)
  const getAnswerFigures = (column: Column) => {
    const answer = getAnswer(column)
    return answer ? getFigures(answer) : null
  }
  const ordered = isHidden
    ? shuffleBlind(columns, `${session?.id} ${turns[lastVoted]?.chat_id}`)
    : sortByFigure(columns, sort, getAnswerFigures)
  const figures = columns.flatMap((column) => getAnswerFigures(column) ?? [])
  return {
    turns,
    newest,
    isHidden,
    firstShown: isHidden ? turns[lastVoted + 1]?.chat_id : undefined,
    columns: ordered.map((column, i) => ({
      column,
      name: isHidden ? compareText.blindName(String.fromCharCode(65 + i)) : getName(column.model),
      answer: getAnswer(column),
      best: listBest(getAnswerFigures(column), figures).join(),
    })),
  }
}

/** Figures in which an answer is better than every other; none without another answer or with a tie. */
function listBest(ownFigures: Figures | null, all: readonly Figures[]): (typeof compared)[number][] {
  return compared.filter((key) => {
    const values = all.flatMap((figures) => figures[key] ?? [])
    const best = key === 'speed' ? Math.max(...values) : Math.min(...values)
    return (
      values.length > 1 && ownFigures?.[key] === best && values.filter((value) => value === best).length === 1
    )
  })
}
