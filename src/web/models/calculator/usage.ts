/** Most models in a comparison. */
export const MAX_MODELS = 8

/** Input of the calculator, with counts as typed. `models` and `input` are null until the person chooses. */
export type Usage = { models: string[] | null; input: string | null; output: string; calls: string }

/** An ordinary length of an answer. The default input depends on the unit (unitInputs.ts). */
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

/** Returns the query of an address that shows the same comparison. */
export function serializeUsage({ models, input, output, calls }: Usage): URLSearchParams {
  const query = new URLSearchParams()
  if (models) query.set('models', models.join(','))
  if (input !== null) query.set('input', input)
  if (output !== DEFAULTS.output) query.set('output', output)
  if (calls) query.set('calls', calls)
  return query
}
