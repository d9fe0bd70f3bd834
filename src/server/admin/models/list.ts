import { createSnapshot, isPlatformConfigured, isRetired } from '#server/llm/llm.ts'
import type { CatalogueFile, ModelEntry } from '#server/llm/llm.ts'
import { describeRetirement } from './compare.ts'
import { formatRows, section } from './report.ts'
import type { Env } from './report.ts'

/**
 * Formats the output of `models list`: the models that people see, and the others by the reason why they are hidden. A server
 * with this environment decides alike, except for the models of an Ollama, for which only a server looks. `today` as 2026-11-22.
 */
export function formatList(file: CatalogueFile, env: Env, today: string): string {
  const { visibleModels, offers } = createSnapshot(file, env)
  const listPlatforms = ({ id }: ModelEntry): string[] => [
    ...new Set((offers.get(id) ?? []).map(({ platform }) => platform)),
  ]
  const states = file.models.map((model) => {
    const available = listPlatforms(model).length > 0
    const isListed = visibleModels.includes(model)
    const isSeen = isListed && available && !isRetired(model.retires, today)
    return { model, available, is_listed: isListed, is_seen: isSeen }
  })
  const visible = states.filter(({ is_seen }) => is_seen)
  const hidden = states.filter(({ is_seen }) => !is_seen)
  const listed = hidden.filter(({ is_listed }) => is_listed)
  const unlisted = hidden.filter(({ is_listed }) => !is_listed)
  const toRows = (some: typeof states, describe: (model: ModelEntry) => string[]): string[] =>
    formatRows(
      some.map(({ model }) => [
        model.id,
        model.type,
        describe(model).join(', '),
        describeRetirement(model.retires, today) ?? '',
      ]),
    )
  const lines = [
    ...section('用户可见 / people see', toRows(visible, listPlatforms)),
    ...section(
      '没有密钥，设置所列变量之一即可 / no platform has its key: one of these variables is enough',
      toRows(
        listed.filter(({ available }) => !available),
        (model) => listMissingKeys(model, file, env),
      ),
    ),
    ...section(
      '已到停用日期：不再列出，程序点名时仍会调用 / retired: not offered any more, still called where a program names it',
      toRows(
        listed.filter(({ available, model }) => available && isRetired(model.retires, today)),
        listPlatforms,
      ),
    ),
    ...section(
      '演示模型，已有真实平台可用 / the demonstration model, while a real platform has its key',
      toRows(
        unlisted.filter(({ model }) => model.visible),
        () => [],
      ),
    ),
    ...section(
      '文件中设为不可见 / "visible": false in the file',
      toRows(
        unlisted.filter(({ model }) => !model.visible),
        () => [],
      ),
    ),
    `共 ${states.length} 个模型，用户可见 ${visible.length} 个 / ${states.length} models, people see ${visible.length}`,
  ]
  return lines.join('\n')
}

/** Returns the missing key variables of the platforms that offer a model. */
const listMissingKeys = (model: ModelEntry, { platforms }: CatalogueFile, env: Env): string[] => [
  ...new Set(
    model.offers.flatMap((offer) => {
      const platform = platforms.find(({ name }) => name === offer.platform)
      return platform?.api_key_env && !isPlatformConfigured(platform, env) ? [platform.api_key_env] : []
    }),
  ),
]
