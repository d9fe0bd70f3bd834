import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { toChinaDay } from '#contract/dates/dates.ts'
import { CatalogueError, readModelsFile } from '#server/llm/llm.ts'
import type { CatalogueFile } from '#server/llm/llm.ts'
import { AdminError } from '../admin-error.ts'
import { compareOffers } from './compare.ts'
import { formatList } from './list.ts'
import { formatCheck, formatPriceChanges, isInDollars } from './report.ts'
import { DEFAULT_SOURCE, isUrl, readPriceMap } from './source.ts'
import type { MapSource } from './source.ts'
import { addOffer, applyPrices, saveModelsFile } from './write.ts'

export const MODELS_USAGE = [
  'models list',
  'models check [file or URL] [--platform <name>]',
  'models add <platform>/<model> [file or URL] [--yes]',
  'models apply [<platform>/<model> …] [file or URL] [--yes]',
]

type Options = {
  /** The words behind `models`. */
  words: string[]
  /** Path of MODELS_FILE. */
  file: string
  env: Readonly<Record<string, string | undefined>>
  now?: Date
}

type Request = { verb: string; names: string[]; source: MapSource; yes: boolean }

/**
 * Runs `npm run admin -- models …`: lists the models of MODELS_FILE, compares it with a map of models and prices, and copies from
 * the map as the operator requests. Needs no server: a running one reloads the file on its own. Throws AdminError.
 */
export async function executeModelsCommand({ words, file, env, now = new Date() }: Options): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new AdminError(`${file}: ${error.message}`)
  })
  const catalogue = parse(file, text)
  const { verb, names, source, yes } = parseWords(words, catalogue)
  const today = now.toISOString().slice(0, 10)
  if (verb === 'list') return formatList(catalogue, env, toChinaDay(now))
  const map = await readPriceMap(source, catalogue.platforms, env)
  if (verb === 'check') return formatCheck(catalogue, map, env, today)
  // The operator's local path must not appear in the models file.
  const from = { address: isUrl(source.address) ? source.address : basename(source.address), today }
  const { changed, difference } =
    verb === 'add' ? add(text, catalogue, map, names, from) : apply(text, catalogue, map, names, from)
  // A result that the server would refuse is refused here.
  parse(file, changed)
  const end = (line: string): string => [difference, line].filter(Boolean).join('\n')
  if (changed === text) return end('没有改动 / nothing to change')
  if (!yes) return end('未写入；确认后加 --yes / nothing was written; add --yes to write it')
  const backup = await saveModelsFile(file, changed, now).catch((error: Error) => {
    throw new AdminError(`${file}: ${error.message}`)
  })
  return end(`已写入 ${file}，旧文件保留为 / written; the old file is kept as ${backup}`)
}

function parse(file: string, text: string): CatalogueFile {
  try {
    return readModelsFile(text)
  } catch (error) {
    if (error instanceof CatalogueError) throw new AdminError(`${file}: ${error.message}`)
    throw error
  }
}

/** A word that begins with a platform of the file and a slash names an offer; any other is the source. */
function parseWords(words: string[], { platforms }: CatalogueFile): Request {
  const usage = () => new AdminError(MODELS_USAGE.map((line) => `usage: npm run admin -- ${line}`).join('\n'))
  const [verb = '', ...rest] = words
  const names: string[] = []
  const addresses: string[] = []
  let yes = false
  let platform: string | undefined
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at]!
    if (word === '--yes') yes = true
    else if (word === '--platform') {
      platform = rest[++at] ?? ''
      if (!platforms.some(({ name }) => name === platform))
        throw new AdminError(`no platform ${platform} in the file`)
    } else if (word.startsWith('--')) throw usage()
    else if (platforms.some(({ name }) => word.startsWith(`${name}/`))) names.push(word)
    else addresses.push(word)
  }
  const counts = { list: 0, check: 0, add: 1, apply: names.length }
  const expected = Object.hasOwn(counts, verb) ? counts[verb as keyof typeof counts] : -1
  if (names.length !== expected || addresses.length > 1 || (verb === 'check' && yes)) throw usage()
  if (verb === 'list' && rest.length) throw usage()
  return { verb, names, yes, source: { address: addresses[0] ?? DEFAULT_SOURCE, platform } }
}

type Change = { changed: string; difference: string }
type ChangeOf = (
  text: string,
  file: CatalogueFile,
  map: Awaited<ReturnType<typeof readPriceMap>>,
  names: string[],
  source: { address: string; today: string },
) => Change

const add: ChangeOf = (text, file, map, [name = ''], source) => {
  const slash = name.indexOf('/')
  const platform = file.platforms.find((one) => one.name === name.slice(0, slash))!
  const model = name.slice(slash + 1)
  const mapModel = map.platforms.get(platform.name)?.get(model)
  if (!mapModel) throw new AdminError(`${name}: not in the map`)
  if (
    file.models.some(({ offers }) =>
      offers.some((one) => one.platform === platform.name && one.model === model),
    )
  )
    throw new AdminError(`${name}: already in the models file; "models apply ${name}" takes its prices`)
  const { text: changed, added, id } = addOffer(text, file, platform, mapModel, source)
  const lines = JSON.stringify(added, null, 2).split('\n')
  return { changed, difference: [`${id}:`, ...lines.map((line) => `+ ${line}`)].join('\n') }
}

const apply: ChangeOf = (text, file, map, names, source) => {
  const checks = compareOffers(file, map).filter(isInDollars)
  const getName = ({ offer }: (typeof checks)[number]): string => `${offer.platform}/${offer.model}`
  for (const name of names)
    if (!checks.some((check) => getName(check) === name))
      throw new AdminError(
        `${name}: no offer in dollars of this name; others are never changed by a map in dollars`,
      )
  const chosenChecks = names.length ? checks.filter((check) => names.includes(getName(check))) : checks
  return {
    changed: applyPrices(text, chosenChecks, source),
    difference: formatPriceChanges(chosenChecks).join('\n'),
  }
}
