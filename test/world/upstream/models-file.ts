/** Fields of a model of MODELS_FILE that a test may set. Prices are coins per million tokens. */
export type UpstreamModel = {
  id: string
  dialect?: 'openai' | 'anthropic' | 'gemini'
  guest?: boolean
  input?: number
  output?: number
  max_tokens?: number
  timeout_ms?: number
  abort_stops_billing?: boolean
  capabilities?: string[]
}

/** Returns the text of a MODELS_FILE that offers these models through the upstream at `url`. */
export function renderModelsFile(url: string, models: UpstreamModel[]): string {
  return JSON.stringify(
    {
      platforms: models.map(
        ({ id, dialect = 'openai', timeout_ms = 10_000, abort_stops_billing = true }) => ({
          name: `script-${id}`,
          alias: '脚本上游',
          dialect,
          base_url: url,
          timeout_ms,
          abort_stops_billing,
        }),
      ),
      models: models.map(
        ({ id, guest = false, input = 100, output = 200, max_tokens = 4096, capabilities = [] }) => ({
          id,
          name: id,
          type: 'chat',
          guest,
          max_tokens,
          capabilities,
          offers: [{ platform: `script-${id}`, model: id, input, output }],
        }),
      ),
    },
    null,
    2,
  )
}
