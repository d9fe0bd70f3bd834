import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadCatalogue } from '#server/llm/catalogue/catalogue.ts'
import type { Need } from '#server/llm/catalogue/family-schema.ts'
import { createLlm } from '#server/llm/llm.ts'
import type { Llm } from '#server/llm/llm.ts'
import type { RoutedPart } from '#server/llm/routing/attempt.ts'
import type { Attempt } from '#server/llm/routing/plan.ts'
import { DEFAULT_PREFERENCE } from '#server/llm/routing/preference.ts'
import type { RoutePreference } from '#server/llm/routing/preference.ts'
import type { Clock } from '#server/llm/routing/clock.ts'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import type { Script, Upstream } from '#test/world/upstream/upstream.ts'
import { createRequest } from '../provider-call.ts'

export type TestPlatforms = {
  llm: Llm
  /** The servers behind the platforms, by name: a, b, c, in the order of the file; each dearer than the one before. */
  upstreams: Record<'a' | 'b' | 'c', Upstream>
  /** Sets how a platform answers from here on. */
  script(platform: 'a' | 'b' | 'c', ...scripts: Script[]): void
  /** Counts the requests to each platform so far. */
  countRequests(): number[]
  /** The waits so far, ms; waiting takes no real time. */
  sleeps: number[]
  /** Stops the server of a platform. */
  close(platform: 'a' | 'b' | 'c'): Promise<void>
  /** Lets time pass, ms. */
  advanceTime(ms: number): void
  logEntries: unknown[]
}

type Options = {
  sleep?: Clock['sleep']
  /** Abilities that the models of platform `a` lack. */
  a_lacks?: Need[]
  /** Time limit of platform `a`, for tests where it is given up: a busy machine must not be late. */
  a_timeout_ms?: number
}

/** Creates one model, `m`, on three platforms that are three servers over real HTTP; `d` offers it, too, but has no key. */
export async function createPlatforms({
  sleep,
  a_lacks = [],
  a_timeout_ms = 20_000,
}: Options = {}): Promise<TestPlatforms> {
  const upstreams = { a: await startUpstream(), b: await startUpstream(), c: await startUpstream() }
  const folder = mkdtempSync(join(tmpdir(), 'wenqu-routing-'))
  const file = join(folder, 'models.json')
  const platforms = [...Object.entries(upstreams), ['d', upstreams.a] as const].map(([name, { url }]) => ({
    name,
    alias: name,
    dialect: 'openai',
    base_url: url,
    timeout_ms: name === 'a' ? a_timeout_ms : 20_000,
    ...(name === 'a' && a_lacks.length ? { families: [{ models: '^m$', lacks: a_lacks }] } : {}),
    ...(name === 'd' ? { api_key_env: 'ABSENT_KEY' } : {}),
  }))
  const offers = platforms.map(({ name }, at) => ({
    platform: name,
    model: 'm',
    input: 100 * (at + 1),
    output: 100 * (at + 1),
  }))
  writeFileSync(file, JSON.stringify({ platforms, models: [{ id: 'm', name: 'm', type: 'chat', offers }] }))
  let ms = 1_700_000_000_000
  const sleeps: number[] = []
  const logEntries: unknown[] = []
  const record = (fields: unknown): void => void logEntries.push(fields)
  const log = { info: record, warn: record, error: record }
  const catalogue = loadCatalogue({ file, env: { WENQU_OLLAMA: 'off' }, log })
  const sleepInstantly: Clock['sleep'] = async (wait, signal) => {
    signal.throwIfAborted()
    sleeps.push(wait)
    ms += wait
  }
  const clock = { now: () => ms, random: () => 0, sleep: sleep ?? sleepInstantly }
  const closed = new Set<string>()
  onTestFinished(async () => {
    catalogue.close()
    rmSync(folder, { recursive: true })
    const open = Object.entries(upstreams).filter(([name]) => !closed.has(name))
    await Promise.all(open.map(([, upstream]) => upstream.close()))
  })
  return {
    llm: createLlm({ catalogue, log, clock }),
    upstreams,
    script: (platform, ...scripts) => upstreams[platform].script('m', ...scripts),
    countRequests: () => Object.values(upstreams).map(({ requests }) => requests.length),
    sleeps,
    close: async (platform) => {
      closed.add(platform)
      await upstreams[platform].close()
    },
    advanceTime: (more) => void (ms += more),
    logEntries,
  }
}

export type RoutedAnswer = {
  text: string
  /** Types of the parts in order; repeated ones once. */
  parts: string[]
  offers: string[]
  attempts: Attempt[]
  error: unknown
}

type RouteOptions = {
  preference?: Partial<RoutePreference>
  signal?: AbortSignal
  onPart?: (part: RoutedPart) => unknown
}

/** Plans and asks, and reads to the end, normal or not. */
export async function route(
  { llm }: TestPlatforms,
  { preference, signal = new AbortController().signal, onPart }: RouteOptions = {},
): Promise<RoutedAnswer> {
  const answer: RoutedAnswer = { text: '', parts: [], offers: [], attempts: [], error: null }
  const plan = llm.planRoute('m', { ...DEFAULT_PREFERENCE, strategy: 'lowcost', ...preference })
  try {
    await llm.streamChat({
      plan,
      request: createRequest('你好'),
      signal,
      onAttempt: (attempt) => void answer.attempts.push(attempt),
      onPart: (part) => {
        if (answer.parts.at(-1) !== part.type) answer.parts.push(part.type)
        if (part.type === 'offer') answer.offers.push(part.offer.platform)
        if (part.type === 'delta') answer.text += part.text
        onPart?.(part)
      },
    })
  } catch (error) {
    answer.error = error
  }
  return answer
}

/** `a failed upstream_timeout`. */
export const formatAttempts = ({ attempts }: RoutedAnswer): string[] =>
  attempts.map(({ platform, state, code }) => [platform, state, code].filter(Boolean).join(' '))
