import type { Message } from '#web/conversations/conversations.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { shuffleBlind } from './blindOrder.ts'
import { findAnswer, listTurns, type Column, type Comparison } from './comparison.ts'
import { compared, getFigures, sortByFigure, type Figures, type SortKey } from './figures.ts'

/** A column as it is shown: by its name, or by a letter while names are hidden. */
export type ShownColumn = {
  column: Column
  name: string
  /** What it answered to the newest turn. */
  answer: Message | undefined
  /** The figures of that answer that no other column has better, separated by commas. */
  best: string
}

/** A comparison as it is shown. */
export type CompareView = {
  columns: readonly ShownColumn[]
  turns: readonly Message[]
  newest: Message | undefined
  /** Names and figures are hidden: it is blind, and the newest turn has no vote. */
  isHidden: boolean
  /** The first turn that may be shown while names are hidden: who wrote the ones before is known. */
  firstShown: string | undefined
}

/** What is shown of a comparison, in which order and by which names. `getName` is what people call a model. */
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

/** What is better than in every other answer; nothing where there is none to compare with, or two are equally good. */
function listBest(own: Figures | null, all: readonly Figures[]): (typeof compared)[number][] {
  return compared.filter((key) => {
    const values = all.flatMap((figures) => figures[key] ?? [])
    const best = key === 'speed' ? Math.max(...values) : Math.min(...values)
    return values.length > 1 && own?.[key] === best && values.filter((value) => value === best).length === 1
  })
}
