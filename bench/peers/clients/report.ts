// What the clients in JavaScript share: how they say what happened, and how they tell the upstream what to answer.

export const env = process.env as Record<
  | 'OPENAI_BASE_URL'
  | 'OPENAI_API_KEY'
  | 'ANTHROPIC_BASE_URL'
  | 'ANTHROPIC_API_KEY'
  | 'SCRIPT_URL'
  | 'MODEL'
  | 'MODEL_ANTHROPIC'
  | 'MODEL_GEMINI'
  | 'PATH',
  string
>

export const reportVersion = (version: string): void => console.log(JSON.stringify({ version }))

/** Tries a feature; what it throws, or a limit of time, is what went wrong. */
export async function feature(name: string, attempt: () => Promise<void>, seconds = 120): Promise<void> {
  const timer = Promise.withResolvers<void>()
  const timeout = setTimeout(() => timer.reject(new Error(`no end after ${seconds} s`)), seconds * 1000)
  const result = await Promise.race([attempt(), timer.promise]).then(
    () => 'ok',
    (error: unknown) => String(error instanceof Error ? error.message : error).slice(0, 300),
  )
  clearTimeout(timeout)
  console.log(JSON.stringify({ feature: name, result }))
}

export function check(condition: unknown, otherwise: unknown): asserts condition {
  if (!condition) throw new Error(typeof otherwise === 'string' ? otherwise : JSON.stringify(otherwise))
}

/** How a model answers from now on: one script a call, the last one again and again (test/world/upstream/script.ts). */
export async function script(model: string, ...scripts: object[]): Promise<void> {
  await fetch(env.SCRIPT_URL, { method: 'POST', body: JSON.stringify({ model, scripts }) })
}

type Body = Record<string, unknown> & { messages?: unknown[] }

/** The last bodies that the upstream was sent for a model, newest last; some dialects name it in the path. */
export async function upstreamBodies(model: string): Promise<Body[]> {
  const requests = (await (await fetch(env.SCRIPT_URL)).json()) as { path: string; body: Body }[]
  return requests
    .filter(({ path, body }) => body['model'] === model || path.includes(model))
    .map(({ body }) => body)
}
