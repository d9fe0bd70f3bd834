import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadCatalogue } from '#server/llm/catalogue.ts'
import { openLlm } from '#server/llm/llm.ts'
import type { Llm } from '#server/llm/llm.ts'
import type { AnswerPart } from '#server/llm/routing/attempt.ts'
import type { Attempt } from '#server/llm/routing/plan.ts'
import { DEFAULT_PREFERENCE } from '#server/llm/routing/preference.ts'
import type { RoutePreference } from '#server/llm/routing/preference.ts'
import type { Time } from '#server/llm/routing/time.ts'
import { startUpstream } from '#test/upstream.ts'
import type { Script, Upstream } from '#test/upstream.ts'
import { ask } from './calling.ts'

export type Platforms = {
  llm: Llm
  /** The servers behind the platforms, by name: a, b, c, in the order of the file; each dearer than the one before. */
  upstreams: Record<'a' | 'b' | 'c', Upstream>
  /** How a platform answers from now on. */
  script(platform: 'a' | 'b' | 'c', ...scripts: Script[]): void
  /** Platforms in the order in which they were really asked so far. */
  asked(): number[]
  /** How long was waited, ms; waiting takes no real time. */
  slept: number[]
  /** Nobody listens there any more. */
  shut(platform: 'a' | 'b' | 'c'): Promise<void>
  /** Lets time pass, ms. */
  pass(ms: number): void
  logged: unknown[]
}

type Options = { sleep?: Time['sleep'] }

/**
 * One model, `m`, on three platforms that are three servers over real HTTP; `d` offers it too but has no key. Only `a` is
 * given little time, so that no other can be late on a busy machine.
 */
export async function openPlatforms({ sleep }: Options = {}): Promise<Platforms> {
  const upstreams = { a: await startUpstream(), b: await startUpstream(), c: await startUpstream() }
  const folder = mkdtempSync(join(tmpdir(), 'wenqu-routing-'))
  const file = join(folder, 'models.json')
  const platforms = [...Object.entries(upstreams), ['d', upstreams.a] as const].map(([name, { url }]) => ({
    name,
    alias: name,
    dialect: 'openai',
    base_url: url,
    timeout_ms: name === 'a' ? 500 : 20_000,
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
  const slept: number[] = []
  const logged: unknown[] = []
  const note = (fields: unknown): void => void logged.push(fields)
  const log = { info: note, warn: note, error: note }
  const catalogue = loadCatalogue({ file, env: { WENQU_OLLAMA: 'off' }, log })
  const pretend: Time['sleep'] = async (wait, signal) => {
    signal.throwIfAborted()
    slept.push(wait)
    ms += wait
  }
  const time = { now: () => ms, random: () => 0, sleep: sleep ?? pretend }
  const shut = new Set<string>()
  onTestFinished(async () => {
    catalogue.close()
    rmSync(folder, { recursive: true })
    const open = Object.entries(upstreams).filter(([name]) => !shut.has(name))
    await Promise.all(open.map(([, upstream]) => upstream.close()))
  })
  return {
    llm: openLlm({ catalogue, log, time }),
    upstreams,
    script: (platform, ...scripts) => upstreams[platform].script('m', ...scripts),
    asked: () => Object.values(upstreams).map(({ requests }) => requests.length),
    slept,
    shut: async (platform) => {
      shut.add(platform)
      await upstreams[platform].close()
    },
    pass: (more) => void (ms += more),
    logged,
  }
}

export type Told = {
  text: string
  /** Types of the parts in order; repeated ones once. */
  parts: string[]
  offers: string[]
  attempts: Attempt[]
  error: unknown
}

type Asking = {
  preference?: Partial<RoutePreference>
  signal?: AbortSignal
  onPart?: (part: AnswerPart) => unknown
}

/** Plans and asks, and listens to the end, whatever it is. */
export async function route(
  { llm }: Platforms,
  { preference, signal = new AbortController().signal, onPart }: Asking = {},
): Promise<Told> {
  const told: Told = { text: '', parts: [], offers: [], attempts: [], error: null }
  const plan = llm.plan('m', { ...DEFAULT_PREFERENCE, strategy: 'lowcost', ...preference })
  try {
    await llm.answer({
      plan,
      request: ask('你好'),
      signal,
      onAttempt: (attempt) => void told.attempts.push(attempt),
      take: (part) => {
        if (told.parts.at(-1) !== part.type) told.parts.push(part.type)
        if (part.type === 'offer') told.offers.push(part.offer.platform)
        if (part.type === 'delta') told.text += part.text
        onPart?.(part)
      },
    })
  } catch (error) {
    told.error = error
  }
  return told
}

/** `a failed upstream_timeout`. */
export const spoken = ({ attempts }: Told): string[] =>
  attempts.map(({ platform, state, code }) => [platform, state, code].filter(Boolean).join(' '))
