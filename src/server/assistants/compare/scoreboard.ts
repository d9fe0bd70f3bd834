import { NONE, questionKinds, TIE } from '#contract/compare-limits.ts'
import type { QuestionKind } from '#contract/compare-limits.ts'
import type { Score } from '#contract/compare/compare.ts'
import type { VoteRow } from './store.ts'
import type { VotedAnswer } from './tables.ts'

type CountedVote = Pick<VoteRow, 'winner' | 'answers'>

/** Counts the votes of each kind that occurs. */
export const countKinds = (votes: Pick<VoteRow, 'kind'>[]): { kind: QuestionKind; votes: number }[] =>
  questionKinds
    .map((kind) => ({ kind, votes: votes.filter((vote) => vote.kind === kind).length }))
    .filter((counted) => counted.votes > 0)

/** Computes the scores of all models with votes, the highest rating first. */
export function computeScores(votes: CountedVote[]): Score[] {
  const ratings = rateByBradleyTerry(votes)
  const models = [...new Set(votes.flatMap(({ answers }) => answers.map(({ model }) => model)))]
  return models
    .map((model) => ({ model, ...countVotes(model, votes), rating: ratings.get(model)! }))
    .toSorted((a, b) => b.rating - a.rating || b.votes - a.votes || a.model.localeCompare(b.model))
}

function countVotes(model: string, votes: CountedVote[]): Omit<Score, 'model' | 'rating'> {
  const modelVotes = votes.filter(({ answers }) => answers.some((answer) => answer.model === model))
  const wins = modelVotes.filter(({ winner }) => winner === model).length
  const ties = modelVotes.filter(({ winner }) => winner === TIE).length
  const answers = modelVotes.flatMap((vote) => vote.answers.filter((answer) => answer.model === model))
  return {
    votes: modelVotes.length,
    wins,
    ties,
    losses: modelVotes.length - wins - ties,
    win_rate: (wins + ties / 2) / modelVotes.length,
    first_text_ms: roundOrNull(average(answers.map(({ first_text_ms }) => first_text_ms))),
    tokens_per_second: average(answers.map(getSpeed)),
    amount: average(answers.map(({ amount }) => amount)),
  }
}

/** Returns the output tokens a second from the first word to the end; null if that time is zero or unknown. */
function getSpeed({ first_text_ms, duration_ms, output_tokens }: VotedAnswer): number | null {
  if (first_text_ms === null || duration_ms === null || duration_ms <= first_text_ms) return null
  return (output_tokens * 1_000) / (duration_ms - first_text_ms)
}

function average(values: (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null)
  return numbers.length ? numbers.reduce((sum, value) => sum + value, 0) / numbers.length : null
}

const roundOrNull = (value: number | null): number | null => (value === null ? null : Math.round(value))

/** Steps of the iteration, far more than a few models need. */
const STEPS = 200
const AVERAGE_RATING = 1_000
/** Points on Elo's scale for ten times the strength. */
const RATING_PER_DECADE = 400

/**
 * Computes the strengths of models that make a person's votes the most likely, by the model of Bradley and Terry (1952). Elo's
 * rating depends on the order of the games and suits players that change; models do not, so every vote counts the same, whenever
 * it was given. A winner beats each of the others, and a tie is half a win for both of each pair; a vote that no answer was good
 * compares nothing. Each model also gets one draw against an average one: otherwise a model that always won would be infinitely
 * strong, and one with a single vote would lead the board.
 */
function rateByBradleyTerry(votes: CountedVote[]): Map<string, number> {
  const strengths = new Map<string, number>()
  const wins = new Map<string, number>()
  /** Model → opponent → number of comparisons. */
  const games = new Map<string, Map<string, number>>()
  for (const { winner, answers } of votes) {
    for (const { model } of answers) {
      strengths.set(model, 1)
      if (winner === NONE) continue
      for (const { model: other } of answers) {
        if (other === model || (winner !== TIE && winner !== model && winner !== other)) continue
        const met = games.get(model) ?? new Map<string, number>()
        games.set(model, met.set(other, (met.get(other) ?? 0) + 1))
        wins.set(model, (wins.get(model) ?? 0) + (winner === TIE ? 0.5 : winner === model ? 1 : 0))
      }
    }
  }
  // Each step brings every strength closer to equal wins and expected wins (Hunter 2004, minorization–maximization).
  for (let step = 0; step < STEPS; step++) {
    for (const [model, strength] of strengths) {
      let expected = 1 / (strength + 1)
      for (const [other, count] of games.get(model) ?? [])
        expected += count / (strength + strengths.get(other)!)
      strengths.set(model, ((wins.get(model) ?? 0) + 0.5) / expected)
    }
  }
  return new Map(
    [...strengths].map(([model, strength]) => [
      model,
      Math.round(AVERAGE_RATING + RATING_PER_DECADE * Math.log10(strength)),
    ]),
  )
}
