import { isPlatformConfigured } from '#server/llm/llm.ts'
import type { CatalogueFile } from '#server/llm/llm.ts'
import { compareFacts, compareOffers, describeRetirement, listNew } from './compare.ts'
import type { OfferCheck } from './compare.ts'
import type { MapModel, PriceMap } from './price-map.ts'

export type Env = Readonly<Record<string, string | undefined>>

const getName = ({ offer }: OfferCheck): string => `${offer.platform}/${offer.model}`

/** Formats rows with aligned columns, each indented by two spaces. */
export function formatRows(rows: string[][]): string[] {
  const widths = rows.reduce<number[]>(
    (max, row) => row.map((cell, at) => Math.max(max[at] ?? 0, cell.length)),
    [],
  )
  return rows.map(
    (row) =>
      `  ${row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd()}`,
  )
}

const formatPercent = (change: number): string =>
  Number.isFinite(change) ? `${change > 0 ? '+' : '−'}${Math.abs(change * 100).toFixed(1)}%` : 'was free'

const getDearest = ({ prices }: OfferCheck): number =>
  Math.max(-Infinity, ...prices.map(({ change }) => change))

/** Formats one row for each price, the largest increases first, at which the operator loses most. */
export function formatPriceChanges(checks: OfferCheck[]): string[] {
  const changed = checks
    .filter(({ prices, remarks }) => prices.length || remarks.length)
    .toSorted((a, b) => getDearest(b) - getDearest(a))
  return formatRows(
    changed.flatMap((check) => [
      ...check.prices
        .toSorted((a, b) => b.change - a.change)
        .map(({ field, ours, theirs, change }) => [
          getName(check),
          field,
          `${ours} → ${theirs} ${check.offer.currency ?? 'coins'}`,
          formatPercent(change),
        ]),
      ...check.remarks.map((remark) => [getName(check), remark, '', '']),
    ]),
  )
}

/** A smaller difference between prices in two currencies says only that they are two lists. */
const HINT_CHANGE = 0.15
const HINT_FIELDS = 3

/** Tells whether a dollar map may change an offer. */
export const isInDollars = ({ offer }: OfferCheck): boolean => offer.currency === 'USD'

/** Formats one row for each offer: lists in different currencies differ in nearly everything. */
function formatHints(checks: OfferCheck[]): string[] {
  const rows = checks.flatMap((check) => {
    const large = check.prices.filter(({ change }) => Math.abs(change) > HINT_CHANGE)
    if (!large.length) return []
    const fields = large
      .slice(0, HINT_FIELDS)
      .map(({ field, ours, theirs, change }) => `${field} ${ours} → ${theirs} (${formatPercent(change)})`)
    if (large.length > HINT_FIELDS) fields.push(`${large.length - HINT_FIELDS} more`)
    return [{ dearest: getDearest(check), row: [getName(check), fields.join(', ')] }]
  })
  return formatRows(rows.toSorted((a, b) => b.dearest - a.dearest).map(({ row }) => row))
}

function formatNew({ model, type, context_window, prices, notes }: MapModel, platform: string): string[] {
  const { input, output, per_call, pictures } = prices ?? {}
  const price = per_call ? `${per_call} USD a call` : `${input} / ${output} USD`
  return [
    `${platform}/${model}`,
    type,
    context_window ? `${Math.round(context_window / 1000)}K` : '',
    prices ? (pictures ? `${pictures.length} prices of pictures` : price) : 'no price',
    notes.join(', '),
  ]
}

/** Formats a heading with its rows; nothing if there are no rows. */
export const section = (heading: string, rows: string[]): string[] =>
  rows.length ? [`${heading} (${rows.length})`, ...rows, ''] : []

/** Formats the output of `models check`, the file compared with a map. `today` as 2026-11-22. */
export function formatCheck(file: CatalogueFile, map: PriceMap, env: Env, today: string): string {
  const checks = compareOffers(file, map)
  const retired = checks.flatMap((check) => {
    const reason = describeRetirement(check.map_model?.retires ?? check.model.retires, today)
    return reason ? [[getName(check), reason, check.model.id]] : []
  })
  const missingByPlatform = Map.groupBy(
    checks.filter(({ map_model }) => !map_model),
    ({ offer }) => offer.platform,
  )
  const facts = checks.flatMap((check) => {
    const differences = compareFacts(check)
    return differences.length ? [[getName(check), differences.join(', ')]] : []
  })
  const newModels = file.platforms.map((platform) => ({
    platform,
    models: listNew(file, map, platform.name, today),
  }))
  const configured = newModels.filter(({ platform }) => isPlatformConfigured(platform, env))
  const others = newModels.filter((entry) => !configured.includes(entry) && entry.models.length)
  const unknown = file.platforms.filter(
    ({ name, dialect }) => dialect !== 'local' && !map.platforms.get(name)?.size,
  )
  const lines = [
    ...section(
      '美元报价有变，涨价在前（用 "models apply" 采用）/ changed prices of dollar offers, dearer first',
      formatPriceChanges(checks.filter(isInDollars)),
    ),
    ...section(
      `仅供参考，按 usd_rate ${file.usd_rate} 折算，不会改动 / hints: other offers at the rate of the file, never applied`,
      formatHints(checks.filter((check) => !isInDollars(check))),
    ),
    ...section('已下架或即将下架 / retired or about to be', formatRows(retired)),
    ...section(
      '表中没有，可能已下架 / not in the map: retired, or never in it',
      formatRows(
        [...missingByPlatform].map(([name, missingChecks]) => [
          name,
          missingChecks.map(({ offer }) => offer.model).join(', '),
        ]),
      ),
    ),
    ...section('上下文、最长回答、能力不同 / other context, longest answer or abilities', formatRows(facts)),
    ...section(
      '新模型（"models add <platform>/<model>"）/ new at configured platforms',
      formatRows(
        configured.flatMap(({ platform, models }) => models.map((model) => formatNew(model, platform.name))),
      ),
    ),
    ...section(
      '未配置密钥的平台也有新模型 / new at platforms without a key',
      formatRows(others.map(({ platform, models }) => [platform.name, `${models.length} models`])),
    ),
    ...section(
      '尚未核实 / unchecked, by our own file',
      file.models.flatMap(({ id, unchecked }) => (unchecked ? [`  ${id}: ${unchecked}`] : [])),
    ),
    ...section(
      '表中没有的平台 / platforms of which the map says nothing',
      unknown.map(({ name }) => `  ${name}`),
    ),
    `已比较 ${checks.length} 项 / compared ${checks.length} offers; nothing was written`,
  ]
  return lines.join('\n')
}
