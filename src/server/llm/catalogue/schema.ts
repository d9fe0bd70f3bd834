import { z } from 'zod'
import { modelTags } from '#contract/models.ts'
import { familySchema } from './family-schema.ts'

/** An amount in the offer's currency; at most six decimals, so that coins are a whole number of micro-coins. */
const amount = z.number().min(0).max(1_000_000_000).multipleOf(0.000001)
const tokens = z.int().min(1).max(100_000_000)
/** A day, a month or a year: sources often name no day. */
const day = z.string().regex(/^\d{4}(-\d\d){0,2}$/)
const name = z.string().min(1).max(120)

const platformSchema = z.strictObject({
  name: name.describe('Key that offers refer to'),
  alias: name.describe('Name that people see'),
  website: z.url().or(z.literal('')).default(''),
  dialect: z.enum(['openai', 'anthropic', 'gemini', 'local']),
  base_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Without /chat/completions; may be on loopback. Not for the local dialect'),
  api_key_env: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/)
    .optional()
    .describe('Environment variable that holds the key; absent: the platform asks for none'),
  timeout_ms: z
    .int()
    .min(100)
    .max(3_600_000)
    .default(120_000)
    .describe('How long the platform may be silent, before its first byte and between two'),
  abort_stops_billing: z
    .boolean()
    .default(true)
    .describe(
      'false: it bills the whole answer even when the connection is closed; a stopped answer is then read on for at most 30 s',
    ),
  families: z
    .array(familySchema)
    .default([])
    .describe('What its models understand, where that differs from the documentation of the dialect'),
  fields: z
    .array(name)
    .default([])
    .describe(
      "Fields of a call that it gets as the caller sent them, beside those of its dialect's own documentation. None that changes the price, the model or the server",
    ),
})

const ratesSchema = {
  input: amount.describe(
    'Per million of what the type is priced by: tokens (chat, embedding, rerank), characters (tts), milliseconds of sound (asr); 0 for image',
  ),
  output: amount.describe('Per million tokens; 0 for all types but chat'),
  cached_input: amount.optional().describe('Default: input'),
  cache_write: amount
    .optional()
    .describe('Kept for five minutes, or as long as the platform likes. Default: input'),
  cache_write_1h: amount.optional().describe('Kept for an hour. Default: 1.6 times cache_write'),
  reasoning: amount.optional().describe('Default: output'),
  audio_input: amount.optional().describe('Tokens of sound. Default: input'),
  audio_output: amount.optional().describe('Default: output'),
  image_input: amount.optional().describe('Tokens of pictures. Default: input'),
  image_output: amount.optional().describe('Default: output'),
}

const tierSchema = z.strictObject({
  above: tokens.describe('From one input token more than this'),
  ...ratesSchema,
  input: amount.optional(),
  output: amount.optional(),
})

const pictureSchema = z.strictObject({
  size: name.optional().describe('As the platform names it: 1024x1024. Default: every size'),
  quality: name.optional().describe('Default: every quality'),
  price: amount,
})

const offerSchema = z.strictObject({
  platform: name.describe('Name of a platform of this file'),
  model: name.describe("The model's name on that platform"),
  currency: z
    .enum(['coins', 'CNY', 'USD'])
    .optional()
    .describe(
      'Of every price of the offer: yuan, dollars at the usd_rate of the file, or coins (100 a yuan). Default: coins',
    ),
  ...ratesSchema,
  thinking: z
    .enum(['on', 'off'])
    .optional()
    .describe('Whether it thinks where the caller does not say. Default: as the platform does'),
  tiers: z
    .array(tierSchema)
    .min(1)
    .max(8)
    .optional()
    .describe(
      'For chat. Dearer (or cheaper) long inputs; what a tier leaves out is as before the first tier',
    ),
  tiering: z
    .enum(['whole', 'parts'])
    .optional()
    .describe(
      'whole: all of a call at the prices of the tier that its input reaches; parts: each token at those of its own. Default: whole',
    ),
  search: amount
    .optional()
    .describe('For a search of the web that the platform makes by itself. Default: nothing'),
  per_call: amount.default(0).describe('Per call; of an image, for each picture'),
  pictures: z
    .array(pictureSchema)
    .min(1)
    .max(64)
    .optional()
    .describe(
      'For image: what a picture costs by size and quality; the dearest that matches. per_call then is not used',
    ),
  defaults: z
    .record(name, z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe(
      'Not for chat: fields of a call that does not name them. Platforms refuse to speak without a voice: {"voice": "alloy"}',
    ),
})

const modelSchema = z.strictObject({
  id: name,
  name,
  desc: z.string().max(500).default(''),
  type: z.enum(['chat', 'embedding', 'rerank', 'image', 'tts', 'asr']),
  context_window: tokens.default(8192),
  max_tokens: tokens.default(4096).describe('Longest answer'),
  capabilities: z
    .array(z.string().max(40))
    .default([])
    .describe(
      'What it can do beyond text: tools, reasoning; vision (images), files (PDF), audio (sound), choices (several answers, n): what is not named here is refused before a platform is asked. The input price must cover each of them',
    ),
  vendor: z.string().max(40).default('').describe('Who made it, as people know them'),
  tags: z.array(z.enum(modelTags)).default([]).describe('What people choose it for'),
  released: day.optional(),
  retires: day.optional().describe('From then on its vendor no longer serves it'),
  source: z.string().max(500).default('').describe('Where its facts and prices come from'),
  source_date: day.optional().describe('Of the source, or when it was read'),
  unchecked: z
    .string()
    .max(500)
    .optional()
    .describe('What of it could not be verified, for the operator: "models check" lists it'),
  visible: z.boolean().default(true),
  guest: z.boolean().default(false).describe('Guests may try it a few times a day'),
  discount: z
    .number()
    .min(0)
    .max(1)
    .multipleOf(0.0001)
    .default(1)
    .describe('Factor on every price; 0.85 is 8.5折'),
  offers: z.array(offerSchema).min(1).describe('In order of preference'),
})

const aliasSchema = z.strictObject({
  id: name.describe('A name that callers may still use'),
  model: name.describe('The id of the model that serves it'),
  since: day.optional().describe('When the name was retired'),
  thinking: z
    .enum(['on', 'off'])
    .optional()
    .describe('As of an offer, for calls of the gateway by this name'),
})

/** MODELS_FILE: the platforms, and the models with each platform's prices. */
export const catalogueSchema = z
  .strictObject({
    $schema: z.string().optional(),
    usd_rate: z.number().min(0.01).max(1_000).default(7.2).describe('Yuan that a dollar costs'),
    platforms: z.array(platformSchema),
    models: z.array(modelSchema),
    aliases: z.array(aliasSchema).default([]).describe('Names of models that were retired or renamed'),
  })
  .superRefine(({ platforms, models, aliases }, check) => {
    const addIssue = (path: (string | number)[], message: string) =>
      check.addIssue({ code: 'custom', path, message })
    const dialects = new Map<string, PlatformEntry['dialect']>()
    for (const [index, platform] of platforms.entries()) {
      if (dialects.has(platform.name))
        addIssue(['platforms', index, 'name'], `platform ${platform.name} appears twice`)
      dialects.set(platform.name, platform.dialect)
      if (platform.dialect !== 'local' && !platform.base_url)
        addIssue(['platforms', index], `platform ${platform.name} needs a base_url`)
    }
    const ids = new Set<string>()
    for (const [index, model] of models.entries()) {
      if (ids.has(model.id)) addIssue(['models', index, 'id'], `model ${model.id} appears twice`)
      ids.add(model.id)
      for (const [offerIndex, { platform, tiers, pictures }] of model.offers.entries()) {
        const dialect = dialects.get(platform)
        const offerPath = ['models', index, 'offers', offerIndex]
        const path = [...offerPath, 'platform']
        if (tiers && model.type !== 'chat')
          addIssue([...offerPath, 'tiers'], 'tiers are for models of type chat')
        if (tiers?.some(({ above }, at) => at > 0 && above <= tiers[at - 1]!.above))
          addIssue([...offerPath, 'tiers'], 'tiers must be in ascending order of above')
        if (pictures && model.type !== 'image')
          addIssue([...offerPath, 'pictures'], 'prices by picture are for models of type image')
        if (!dialect) addIssue(path, `unknown platform ${platform}`)
        else if (model.type !== 'chat' && dialect !== 'openai')
          addIssue(path, `a model of type ${model.type} needs a platform of dialect openai`)
        else if (dialect === 'anthropic' && model.capabilities.includes('audio'))
          addIssue(path, 'a platform of dialect anthropic takes no audio')
        else if (dialect !== 'openai' && model.capabilities.includes('choices'))
          addIssue(path, `a platform of dialect ${dialect} gives one answer, not choices`)
      }
    }
    const modelIds = new Set(ids)
    for (const [index, { id, model }] of aliases.entries()) {
      if (ids.has(id)) addIssue(['aliases', index, 'id'], `the name ${id} appears twice`)
      ids.add(id)
      if (!modelIds.has(model)) addIssue(['aliases', index, 'model'], `unknown model ${model}`)
    }
  })

export type CatalogueFile = z.output<typeof catalogueSchema>
export type PlatformEntry = CatalogueFile['platforms'][number]
export type Dialect = PlatformEntry['dialect']
export type ModelEntry = CatalogueFile['models'][number]
export type AliasEntry = CatalogueFile['aliases'][number]
export type OfferEntry = ModelEntry['offers'][number]

/** The JSON schema that editors read beside MODELS_FILE: `config/models.schema.json`. */
export function buildCatalogueJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(catalogueSchema, { io: 'input' }), null, 2)}\n`
}
