import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'
import type { CompletionHooks } from '#server/runs/runs.ts'
import { startServer } from '#server/start.ts'
import { createClient } from './client.ts'
import type { Client } from './client.ts'
import { modelNames, platformNames } from './real-names.ts'
import { createTestDatabase } from './template.ts'
import { getLoginCode, signIn } from './sign-in.ts'
import { startUpstream } from './upstream/upstream.ts'
import type { Upstream } from './upstream/upstream.ts'

export type World = {
  /** Address of the real app. */
  url: string
  data_dir: string
  /** The scripted upstream behind every real model of this world. */
  upstream: Upstream
  /** Creates a browser without cookies. */
  visitor(): Client
  /** Creates a browser that is signed in to an account; a new one unless an e-mail is given. */
  user(email?: string): Promise<Client>
  /** Returns the newest code that was sent to an address. */
  getLoginCode(email: string): Promise<string>
  /** The database, for values that no call returns, and to let time pass for rows. */
  db(): Db
  /** Stops the app in an orderly way and starts it again on the same data, at the same address. */
  restart(): Promise<void>
  close(): Promise<void>
}

export type WorldOptions = {
  /** Added to the environment that the app reads. */
  env?: Record<string, string>
  /** Limits of load, see `startServer`. */
  capacity?: Parameters<typeof startServer>[0]['capacity']
  /** Longest wait of a statement for a connection to PostgreSQL, ms: as long as a test, since machines may be busy. */
  connect_limit_ms?: number | undefined
  /** Served beside the product's own. */
  assistants?: Parameters<typeof startServer>[0]['assistants']
  /** The way links are followed, where it must not be the public internet. */
  egress?: Parameters<typeof startServer>[0]['egress']
  /** Receives each line of the log, down to `debug`. */
  onLog?: (line: string) => void
  /** The text of MODELS_FILE; `scriptedModels` unless given. */
  models?: (upstream: Upstream) => string
}

let accountCount = 0

/**
 * Starts the real app on a real database: the embedded one in a temporary folder, or an empty database on the server that
 * DATABASE_URL names. Its models are served by a scripted upstream over HTTP: see `scriptedModels`.
 */
export async function startWorld({
  env = {},
  capacity = {},
  connect_limit_ms = 60_000,
  assistants = {},
  egress,
  onLog,
  models = ({ url }) => JSON.stringify(scriptedModels(url)),
}: WorldOptions = {}): Promise<World> {
  const dataDir = await mkdtemp(join(process.env.TEST_FOLDER ?? tmpdir(), 'world-'))
  const upstream = await startUpstream()
  const database = await createTestDatabase(dataDir)
  const modelsFile = join(dataDir, 'models.json')
  await writeFile(modelsFile, models(upstream))
  const environment = {
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    MODELS_FILE: modelsFile,
    LOG_LEVEL: 'silent',
    SCRIPTED_KEY: 'sk-scripted',
    WENQU_OLLAMA: 'off',
    // People state their address: see `signIn`. The other limits would count all tests together.
    TRUST_PROXY: '1',
    CODE_TARGETS: '100000',
    SIGNUPS: '100000',
    GIVEN_COINS_TOTAL: '1000000000',
    GUEST_TURNS: '100000',
    GUEST_TURNS_TOTAL: '100000',
    // A run of its own beside each first answer would take the scripts of the answers.
    TITLE_MODEL: 'off',
    AGENTS_FILE: 'off',
    EMBEDDING_MODEL: 'off',
    RERANK_MODEL: 'off',
    ...(database ? { DATABASE_URL: database.url } : {}),
    ...env,
  }
  const start = (port = environment.PORT) => {
    const config = readConfig({ ...environment, PORT: port })
    const log = onLog ? createLog('debug', { write: onLog }) : createLog(environment.LOG_LEVEL)
    return startServer({
      config,
      log,
      opening: openDatabase({ ...config, log, connect_limit_ms }),
      env: environment,
      capacity,
      assistants,
      ...(egress ? { egress } : {}),
    })
  }
  let server = await start()

  const world: World = {
    get url() {
      return server.url
    },
    data_dir: dataDir,
    upstream,
    // A question is answered before its model is asked: by the next step of a test, the model has been asked.
    visitor: () =>
      createClient(
        () => server.url,
        () => upstream.waitForArrivals(),
      ),
    async user(email = `user${++accountCount}@example.com`) {
      const client = world.visitor()
      await signIn(client, email, dataDir)
      return client
    },
    getLoginCode: (email) => getLoginCode(email, dataDir),
    db: () => server.database.db,
    async restart() {
      await server.close()
      server = await start(new URL(server.url).port)
    },
    async close() {
      await server.close()
      await upstream.close()
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return world
}

/** Hooks for runs that no feature follows. */
export const NO_HOOKS: CompletionHooks = {
  chat: null,
  related: null,
  title: null,
  voice: null,
  transcript: null,
  reading: null,
  summary: null,
  agent_prompts: null,
  rewrite: null,
  indexing: null,
  retrieval: null,
  translation: null,
  gateway: null,
}

/** The scripted models on platforms that are given up after 3 s of silence. */
export const impatientModels = ({ url }: Upstream): string => {
  const { platforms, models } = scriptedModels(url)
  return JSON.stringify({ models, platforms: platforms.map((one) => ({ ...one, timeout_ms: 3_000 })) })
}

/** Returns the models of `startWorld`, for programs that start the app as a process of its own. */
export function scriptedModels(baseUrl: string) {
  const model = (id: keyof typeof modelNames, more: object) => ({
    id,
    name: modelNames[id],
    desc: '',
    type: 'chat',
    context_window: 64_000,
    max_tokens: 8_000,
    capabilities: [],
    visible: true,
    guest: false,
    discount: 1,
    offers: [{ platform: 'scripted', model: id, input: 0, output: 0 }],
    ...more,
  })
  const platform = (name: keyof typeof platformNames, apiKeyEnv: string, fields: string[] = []) => ({
    name,
    alias: platformNames[name],
    dialect: 'openai',
    base_url: baseUrl,
    api_key_env: apiKeyEnv,
    // Longer than any test holds an answer back, however busy the machine is.
    timeout_ms: 60_000,
    fields,
  })
  return {
    platforms: [
      platform('scripted', 'SCRIPTED_KEY'),
      {
        ...platform('second', 'SCRIPTED_KEY', ['min_p', 'sample_rate']),
        families: [{ models: '^limited$', lacks: ['tools'], thinking: {} }],
      },
      platform('keyless', 'ABSENT_KEY'),
    ],
    models: [
      model('scripted', { guest: true, capabilities: ['vision', 'choices'] }),
      model('scripted-paid', {
        offers: [{ platform: 'scripted', model: 'scripted-paid', input: 200, output: 200 }],
      }),
      // A model that gives several answers.
      model('choosy', {
        capabilities: ['choices'],
        offers: [{ platform: 'scripted', model: 'choosy', input: 0, output: 200 }],
      }),
      // One coin a call; it sees pictures.
      model('seeing', {
        capabilities: ['vision'],
        offers: [{ platform: 'scripted', model: 'seeing', input: 0, output: 0, per_call: 1 }],
      }),
      // One coin a call, whatever the answer.
      model('flat', { offers: [{ platform: 'scripted', model: 'flat', input: 0, output: 0, per_call: 1 }] }),
      // The same model on two platforms; the second costs twice as much.
      model('twofold', {
        offers: [
          { platform: 'scripted', model: 'twofold-cheap', input: 1000, output: 1000 },
          { platform: 'second', model: 'twofold-dear', input: 2000, output: 2000 },
        ],
      }),
      // A thousandth of a coin a token; three of them, and for output five, where the input is longer than 1,000 tokens.
      model('tiered', {
        offers: [
          {
            platform: 'scripted',
            model: 'tiered',
            input: 1000,
            output: 1000,
            audio_input: 9000,
            search: 0.5,
            tiers: [{ above: 1000, input: 3000, output: 5000 }],
          },
        ],
      }),
      model('farui-scripted', {}),
      // One of each type besides chat, with a price that shows the unit.
      model('scripted-embedding', {
        type: 'embedding',
        offers: [{ platform: 'scripted', model: 'scripted-embedding', input: 100, output: 0 }],
      }),
      model('scripted-rerank', {
        type: 'rerank',
        offers: [{ platform: 'scripted', model: 'scripted-rerank', input: 100, output: 0 }],
      }),
      // Three coins a picture.
      model('scripted-image', {
        type: 'image',
        offers: [{ platform: 'scripted', model: 'scripted-image', input: 0, output: 0, per_call: 3 }],
      }),
      // Priced by size and quality, in yuan.
      model('scripted-drawing', {
        type: 'image',
        offers: [
          {
            platform: 'scripted',
            model: 'scripted-drawing',
            currency: 'CNY',
            input: 0,
            output: 0,
            pictures: [
              { size: '1024x1024', quality: 'low', price: 0.01 },
              { size: '1024x1024', quality: 'high', price: 0.05 },
              { size: '1536x1024', price: 0.1 },
            ],
          },
        ],
      }),
      // A thousandth of a coin for a token of a picture.
      model('scripted-painting', {
        type: 'image',
        offers: [{ platform: 'scripted', model: 'scripted-painting', input: 100, output: 1000 }],
      }),
      model('scripted-tts', {
        type: 'tts',
        offers: [
          { platform: 'scripted', model: 'tts-cheap', input: 20_000, output: 0, defaults: { voice: 'anna' } },
          { platform: 'second', model: 'tts-dear', input: 40_000, output: 0 },
        ],
      }),
      // 0.0001 coins a millisecond, 360 an hour.
      model('scripted-asr', {
        type: 'asr',
        offers: [{ platform: 'scripted', model: 'scripted-asr', input: 100, output: 0 }],
      }),
      // A model that follows no schema, and always thinks.
      model('limited', {
        capabilities: ['reasoning'],
        offers: [{ platform: 'second', model: 'limited', input: 0, output: 0 }],
      }),
      model('thinker', {
        capabilities: ['reasoning'],
        offers: [{ platform: 'scripted', model: 'thinker', input: 0, output: 0, thinking: 'off' }],
      }),
      model('absent', { offers: [{ platform: 'keyless', model: 'absent', input: 1, output: 1 }] }),
    ],
    aliases: [{ id: 'old-thinker', model: 'thinker', since: '2026-07-24', thinking: 'on' }],
  }
}
