import { MODELS } from './models.ts'

/** The results of a client's features on each model: `ok`, `not offered: …`, or the failure. */
export type Row = { name: string; version: string; results: { feature: string; result: string }[] }

const NOT_OFFERED = 'not offered: '

/** Tells whether the gateway says that the model lacks the feature, which is correct. */
export const isNotOffered = (result: string): boolean => result.startsWith(NOT_OFFERED)
export const isFailure = (result: string): boolean => result !== 'ok' && !isNotOffered(result)

const clean = (cell: string): string => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')
const count = (results: Row['results'], test: (result: string) => boolean): number =>
  results.filter(({ result }) => test(result)).length

/** Returns a line of a Markdown table for each feature on each model. */
export const renderRows = ({ name, version, results }: Row): string =>
  results
    .map(({ feature, result }) => {
      const shown = result === 'ok' ? '✓' : result
      return `| ${name} | ${clean(version)} | ${clean(feature)} | ${clean(shown)} |`
    })
    .join('\n')

/** The model at the end of a feature's name. */
const MODEL = new RegExp(` \\((${Object.keys(MODELS).join('|')})\\)$`)

/** Returns a line of a Markdown table for each client. */
export function renderSummary(rows: Row[]): string {
  const lines = rows.map(({ name, version, results }) => {
    const names = new Set(results.map(({ feature }) => feature.replace(MODEL, '')))
    const works = `${count(results, (result) => result === 'ok')} of ${results.length}`
    const notOffered = count(results, isNotOffered) || ''
    return `| ${name} | ${clean(version)} | ${works} | ${notOffered} | ${clean([...names].join(' · '))} |`
  })
  return ['| Client | Version | Works | Not offered | Features |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  )
}
