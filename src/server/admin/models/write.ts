import { constants, copyFile, open, realpath, rename, stat } from 'node:fs/promises'
import { insertItem, setValue } from '#server/llm/llm.ts'
import type { CatalogueFile, ModelEntry, OfferEntry, PlatformEntry } from '#server/llm/llm.ts'
import { AdminError } from '../admin-error.ts'
import type { OfferCheck } from './compare.ts'
import { ABILITIES } from './price-map.ts'
import type { MapModel } from './price-map.ts'

/** Source of the facts and the day of reading, as MODELS_FILE records them. */
export type Source = { address: string; today: string }

const MAX_SOURCE_CHARS = 500

const getSource = (mapModel: MapModel, { address }: Source): string =>
  mapModel.source && mapModel.source !== address ? `${mapModel.source} via ${address}` : address

/** Returns the file's text with the map's prices of these offers; without changes, every byte stays. */
export function applyPrices(text: string, checks: OfferCheck[], source: Source): string {
  let changed = text
  const dated = new Set<number>()
  for (const { model_index, offer_index, model, prices, tiers, map_model } of checks) {
    if (!map_model || (!prices.length && !tiers)) continue
    const offer = ['models', model_index, 'offers', offer_index]
    for (const { path, theirs } of prices) {
      // Tiers with other borders are replaced as a whole.
      if (tiers && path[0] === 'tiers') continue
      changed = setValue(changed, [...offer, ...path], theirs, 'output')
    }
    if (tiers) changed = setValue(changed, [...offer, 'tiers'], tiers, 'output')
    if (dated.has(model_index)) continue
    dated.add(model_index)
    const from = getSource(map_model, source)
    const joined = model.source && !model.source.includes(from) ? `${model.source}; ${from}` : from
    const newSource = joined.length > MAX_SOURCE_CHARS ? from.slice(0, MAX_SOURCE_CHARS) : joined
    changed = setValue(changed, ['models', model_index, 'source'], newSource)
    changed = setValue(changed, ['models', model_index, 'source_date'], source.today, 'source')
  }
  return changed
}

/** Adds an offer from the map to the file's text, under an existing model of this name or a new one. */
export function addOffer(
  text: string,
  file: CatalogueFile,
  platform: PlatformEntry,
  mapModel: MapModel,
  source: Source,
): { text: string; added: object; id: string } {
  if (!mapModel.prices)
    throw new AdminError(`${platform.name}/${mapModel.model}: the map has no price that a file can say`)
  const { input, output, pictures, ...rates } = mapModel.prices
  // Prices by tokens are more exact than prices by picture; both together would charge twice.
  const rest = pictures && !input ? { ...rates, pictures } : rates
  const offer = { platform: platform.name, model: mapModel.model, currency: 'USD', input, output, ...rest }
  const id = mapModel.model.split('/').at(-1)!.toLowerCase()
  const at = file.models.findIndex(
    (model) =>
      model.type === mapModel.type &&
      (model.id === id || model.offers.some((one) => one.model === mapModel.model)),
  )
  const model = file.models[at]
  if (model) {
    const position = model.offers.length
    return { text: insertItem(text, ['models', at, 'offers'], position, offer), added: offer, id: model.id }
  }
  const added = createModel(id, file, platform, mapModel, source, offer)
  const neighbour = file.models.findLastIndex(
    ({ type, offers }) => type === mapModel.type && offers[0]?.platform === platform.name,
  )
  const index = neighbour < 0 ? file.models.length : neighbour + 1
  const changed = index ? insertItem(text, ['models'], index, added) : setValue(text, ['models'], [added])
  return { text: changed, added, id }
}

/** Facts that maps do not contain, or express in different ways. */
const UNCHECKED = [
  'added from a price map: no description',
  'not checked: how it thinks, whether the window is with or without the answer',
]
const OTHER_CURRENCY = 'a price of a list in dollars, though this platform has one in yuan'

function createModel(
  id: string,
  file: CatalogueFile,
  platform: PlatformEntry,
  mapModel: MapModel,
  source: Source,
  offer: object,
): object {
  const siblings = file.models.filter(({ offers }) => offers[0]?.platform === platform.name)
  const vendors = new Set(siblings.map(({ vendor }) => vendor))
  const [vendor = ''] = vendors.size === 1 ? vendors : []
  const abilities = ABILITIES.filter(
    (ability) => mapModel.abilities[ability] && !(ability === 'audio' && platform.dialect === 'anthropic'),
  )
  const isChat = mapModel.type === 'chat'
  const isInYuan = file.models.some(({ offers }) =>
    offers.some((one) => one.platform === platform.name && one.currency === 'CNY'),
  )
  return {
    id,
    name: mapModel.name ?? mapModel.model,
    ...(vendor ? { vendor } : {}),
    type: mapModel.type,
    ...(mapModel.context_window ? { context_window: mapModel.context_window } : {}),
    ...(isChat && mapModel.max_tokens ? { max_tokens: mapModel.max_tokens } : {}),
    ...(isChat && abilities.length ? { capabilities: abilities } : {}),
    ...(mapModel.retires ? { retires: mapModel.retires } : {}),
    source: getSource(mapModel, source).slice(0, MAX_SOURCE_CHARS),
    source_date: source.today,
    unchecked: [...UNCHECKED, ...(isInYuan ? [OTHER_CURRENCY] : []), ...mapModel.notes].join('; '),
    offers: [offer],
  } satisfies Partial<Record<keyof ModelEntry, unknown>> & {
    offers: Partial<Record<keyof OfferEntry, unknown>>[]
  }
}

/** Replaces the models file atomically, and keeps the old one beside it. Returns the old one's name. */
export async function saveModelsFile(file: string, text: string, now: Date): Promise<string> {
  // If the path is a symbolic link, it keeps pointing to the file.
  const path = await realpath(file)
  const backup = `${path}.${now.toISOString().replace(/[-:.]/g, '')}.bak`
  await copyFile(path, backup, constants.COPYFILE_EXCL)
  const draft = `${path}.${process.pid}.new`
  const { mode } = await stat(path)
  await using handle = await open(draft, 'wx', mode)
  await handle.writeFile(text)
  await handle.sync()
  await rename(draft, path)
  return backup
}
