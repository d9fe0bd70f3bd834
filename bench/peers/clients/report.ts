// Shared by the clients in JavaScript: they report results, and tell the upstream its answers.

export const env = process.env as Record<
  | 'OPENAI_BASE_URL'
  | 'OPENAI_API_KEY'
  | 'ANTHROPIC_BASE_URL'
  | 'ANTHROPIC_API_KEY'
  | 'SCRIPT_URL'
  | 'MODELS'
  | 'PATH',
  string
>

/** One of each family. */
export const models = env.MODELS.split(',')

export const reportVersion = (version: string): void => console.log(JSON.stringify({ version }))

const getScripted = async <Answer>(path: string): Promise<Answer> =>
  (await (await fetch(env.SCRIPT_URL + path)).json()) as Answer

/** The platforms' refusals since the last call, in their words. */
async function takeRefusals(): Promise<string[]> {
  const refusals = await getScripted<{ rule: string; status: number; body: object }[]>('/refusals')
  return refusals.map(({ rule, status, body }) => `refused (${rule}, ${status}): ${JSON.stringify(body)}`)
}

/** The gateway's own word about a model; what a program says that it ended with is none. */
const NOT_OFFERED = /^(?!exit ).*这个模型不支持请求里的内容（([^），]*(?:（[^）]*）)?)/s
const describe = (error: unknown): string => {
  const message = String(error instanceof Error ? error.message : error)
  const [, what] = NOT_OFFERED.exec(message) ?? []
  return what ? `not offered: ${what}` : message
}

/** Tries a feature; a refusal of a platform, what it throws, or a limit of time, is what went wrong. */
export async function feature(name: string, attempt: () => Promise<void>, seconds = 120): Promise<void> {
  const timer = Promise.withResolvers<void>()
  const timeout = setTimeout(() => timer.reject(new Error(`no end after ${seconds} s`)), seconds * 1000)
  const result = await Promise.race([attempt(), timer.promise]).then(
    () => 'ok',
    describe,
  )
  clearTimeout(timeout)
  const [refusal = result] = await takeRefusals()
  console.log(JSON.stringify({ feature: name, result: refusal.slice(0, 400) }))
}

/** Tries a feature on a model of each family. */
export async function features(
  name: string,
  attempt: (model: string) => Promise<void>,
  seconds?: number,
): Promise<void> {
  for (const model of models) await feature(`${name} (${model})`, () => attempt(model), seconds)
}

export function check(condition: unknown, otherwise: unknown): asserts condition {
  if (!condition) throw new Error(typeof otherwise === 'string' ? otherwise : JSON.stringify(otherwise))
}

/** How a model answers from now on: one script a call, the last one again and again (test/world/upstream/script.ts). */
export async function script(model: string, ...scripts: object[]): Promise<void> {
  await fetch(env.SCRIPT_URL, { method: 'POST', body: JSON.stringify({ model, scripts }) })
}

export type Body = Record<string, unknown>

/** The last bodies that the upstream was sent for a model, newest last. */
export async function upstreamBodies(model: string): Promise<Body[]> {
  const requests = await getScripted<{ body: Body }[]>(`/?model=${encodeURIComponent(model)}`)
  return requests.map(({ body }) => body)
}
