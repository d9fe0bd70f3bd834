/** How many models are compared at most: beyond it nobody compares. */
export const MAX_MODELS = 8

/** What the calculator is asked; counts as they were typed. `models` and `input` are null until somebody chose. */
export type Usage = { models: string[] | null; input: string | null; output: string; calls: string }

/** An ordinary answer. What it was asked for depends on the unit, see counts.ts. */
const DEFAULTS = { output: '800' }

export function parseUsage(query: URLSearchParams): Usage {
  const models = query.get('models')
  return {
    models: models === null ? null : models.split(',').filter(Boolean).slice(0, MAX_MODELS),
    input: query.get('input'),
    output: query.get('output') ?? DEFAULTS.output,
    calls: query.get('calls') ?? '',
  }
}

/** The address that shows the same comparison to somebody else. */
export function serializeUsage({ models, input, output, calls }: Usage): URLSearchParams {
  const query = new URLSearchParams()
  if (models) query.set('models', models.join(','))
  if (input !== null) query.set('input', input)
  if (output !== DEFAULTS.output) query.set('output', output)
  if (calls) query.set('calls', calls)
  return query
}
