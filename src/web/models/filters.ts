import type { ModelCard } from '#contract/models.ts'
import { modelsText } from '#web/text/models.ts'
import { getBlendedPrice, formatCapability, findFastestOffer, listReachedOffers } from './offers.ts'
import { getUnitRank } from './priceUnits.ts'

export const sorts = ['default', 'price', 'context', 'speed'] as const
export type Sort = (typeof sorts)[number]

/** Filters of the model plaza. An empty list does not filter. */
export type Filters = {
  q: string
  type: string[]
  tag: string[]
  platform: string[]
  capability: string[]
  sort: Sort
}
export type Facet = 'type' | 'tag' | 'platform' | 'capability'
const facets: readonly Facet[] = ['type', 'tag', 'platform', 'capability']

export const emptyFilters: Filters = {
  q: '',
  type: [],
  tag: [],
  platform: [],
  capability: [],
  sort: 'default',
}

export function parseFilters(query: URLSearchParams): Filters {
  const list = (name: Facet) => (query.get(name) ?? '').split(',').filter(Boolean)
  return {
    q: query.get('q') ?? '',
    type: list('type'),
    tag: list('tag'),
    platform: list('platform'),
    capability: list('capability'),
    sort: sorts.find((sort) => sort === query.get('sort')) ?? 'default',
  }
}

/** Returns only values that differ from the defaults, so that the plain page has a plain address. */
export function serializeFilters(filters: Filters): URLSearchParams {
  const query = new URLSearchParams()
  if (filters.q.trim()) query.set('q', filters.q.trim())
  for (const facet of facets) if (filters[facet].length) query.set(facet, filters[facet].join(','))
  if (filters.sort !== 'default') query.set('sort', filters.sort)
  return query
}

function getFacetValues(card: ModelCard, facet: Facet): string[] {
  if (facet === 'type') return [card.type]
  if (facet === 'tag') return card.tags
  return facet === 'platform' ? listReachedOffers(card).map(({ platform }) => platform) : card.capabilities
}

/** A model needs one of the chosen types or platforms, but every chosen tag and capability. */
const needsAll = (facet: Facet): boolean => facet === 'tag' || facet === 'capability'

const matchesFacet = (card: ModelCard, filters: Filters, facet: Facet): boolean => {
  const values = getFacetValues(card, facet)
  const has = (value: string) => values.includes(value)
  if (!filters[facet].length) return true
  return needsAll(facet) ? filters[facet].every(has) : filters[facet].some(has)
}

/** Tells whether every word of `q` occurs in the model's name, id, vendor, description, tags or platforms. */
export function matchesQuery({ name, id, vendor, desc, tags, offers }: ModelCard, q: string): boolean {
  const text = [name, id, vendor, desc, ...tags, ...offers.map(({ alias }) => alias)].join('\n').toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Returns the matching models in the chosen order; equal ones keep the catalogue's order. */
export function filterModels(cards: readonly ModelCard[], filters: Filters): ModelCard[] {
  const passing = cards.filter(
    (card) => matchesQuery(card, filters.q) && facets.every((facet) => matchesFacet(card, filters, facet)),
  )
  return passing.sort(comparators[filters.sort])
}

/** Separates usable models from the others, which lack a key or were retired by their vendor. */
export const splitByUse = (cards: readonly ModelCard[]): Record<'usable' | 'others', ModelCard[]> => ({
  usable: cards.filter(({ available }) => available),
  others: cards.filter(({ available }) => !available),
})

const comparators: Record<Sort, (a: ModelCard, b: ModelCard) => number> = {
  default: () => 0,
  price: (a, b) => compare(getUnitRank(a), getUnitRank(b)) || compare(getBlendedPrice(a), getBlendedPrice(b)),
  context: (a, b) => compare(b.context_window, a.context_window),
  speed: (a, b) => compare(findFastestOffer(b)?.throughput ?? -1, findFastestOffer(a)?.throughput ?? -1),
}

/** Not a subtraction: models without an offer have an infinite price. */
const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

export type FacetChoice = { value: string; label: string; count: number }

/**
 * Returns the occurring values of a facet in the catalogue's order, each with the number of models that it would show under the
 * other filters.
 */
export function countFacetChoices(
  cards: readonly ModelCard[],
  filters: Filters,
  facet: Facet,
): FacetChoice[] {
  const others = facets.filter((other) => other !== facet)
  const within = cards.filter((card) => {
    if (!matchesQuery(card, filters.q)) return false
    if (needsAll(facet) && !matchesFacet(card, filters, facet)) return false
    return others.every((other) => matchesFacet(card, filters, other))
  })
  const values = [...new Set(cards.flatMap((card) => getFacetValues(card, facet)))]
  return values.map((value) => ({
    value,
    label: getFacetLabel(cards, facet, value),
    count: within.filter((card) => getFacetValues(card, facet).includes(value)).length,
  }))
}

function getFacetLabel(cards: readonly ModelCard[], facet: Facet, value: string): string {
  if (facet === 'capability') return formatCapability(value)
  if (facet === 'tag') return value
  if (facet === 'type') return Object.entries(modelsText.types).find(([type]) => type === value)?.[1] ?? value
  const offers = cards.flatMap((card) => card.offers)
  return offers.find(({ platform }) => platform === value)?.alias ?? value
}
