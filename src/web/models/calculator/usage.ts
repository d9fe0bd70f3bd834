/** How many models are compared at most: beyond it nobody compares. */
export const MOST_MODELS = 8

/** What the calculator is asked; counts as they were typed. `models` is null until somebody chose. */
export type Usage = { models: string[] | null; input: string; output: string; calls: string }

/** An ordinary question with a page of context, and its answer. */
const START = { input: '2k', output: '800' }

export function readUsage(query: URLSearchParams): Usage {
  const models = query.get('models')
  return {
    models: models === null ? null : models.split(',').filter(Boolean).slice(0, MOST_MODELS),
    input: query.get('input') ?? START.input,
    output: query.get('output') ?? START.output,
    calls: query.get('calls') ?? '',
  }
}

/** The address that shows the same comparison to somebody else. */
export function writeUsage({ models, input, output, calls }: Usage): URLSearchParams {
  const query = new URLSearchParams()
  if (models) query.set('models', models.join(','))
  if (input !== START.input) query.set('input', input)
  if (output !== START.output) query.set('output', output)
  if (calls) query.set('calls', calls)
  return query
}
