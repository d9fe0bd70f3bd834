// A models file and LiteLLM's map of the same prices, for the tests of `npm run admin -- models`.

export const getOffer = (platform: string, model: string, prices: object) => ({ platform, model, ...prices })
export const gpt = {
  currency: 'USD',
  input: 2,
  output: 10,
  cached_input: 0.2,
  tiers: [{ above: 272_000, input: 4, output: 15, cached_input: 0.4 }],
  search: 0.01,
}
export const models = (url: string) => ({
  usd_rate: 7,
  platforms: [
    {
      name: 'openai',
      alias: 'OpenAI',
      dialect: 'openai',
      base_url: 'https://openai.test/v1',
      api_key_env: 'OPENAI_KEY',
      // The model sees pictures elsewhere, but not here.
      families: [{ models: '^gone', lacks: ['vision'] }],
    },
    {
      name: 'anthropic',
      alias: 'Anthropic',
      dialect: 'anthropic',
      base_url: `${url}/v1`,
      api_key_env: 'ANTHROPIC_KEY',
    },
    { name: 'xai', alias: 'xAI', dialect: 'openai', base_url: 'https://xai.test/v1', api_key_env: 'XAI_KEY' },
    {
      name: 'zhipu',
      alias: '智谱',
      dialect: 'openai',
      base_url: 'https://zhipu.test/v4',
      api_key_env: 'ZHIPU_KEY',
    },
  ],
  models: [
    {
      id: 'gpt-9',
      name: 'GPT 9',
      vendor: 'OpenAI',
      type: 'chat',
      context_window: 1_000_000,
      max_tokens: 100_000,
      capabilities: ['tools', 'reasoning'],
      source: 'by hand',
      source_date: '2026-01',
      offers: [getOffer('openai', 'gpt-9', gpt)],
    },
    {
      id: 'grok-9',
      name: 'Grok 9',
      type: 'chat',
      context_window: 500_000,
      max_tokens: 50_000,
      unchecked: 'the price of pictures',
      offers: [
        getOffer('xai', 'grok-9', {
          currency: 'USD',
          input: 2,
          output: 6,
          tiers: [{ above: 199_999, input: 4, output: 12 }],
        }),
      ],
    },
    {
      id: 'glm-9',
      name: 'GLM 9',
      type: 'chat',
      context_window: 200_000,
      max_tokens: 50_000,
      offers: [getOffer('zhipu', 'glm-9', { currency: 'CNY', input: 7, output: 28 })],
    },
    {
      id: 'gone-1',
      name: 'Gone',
      type: 'chat',
      capabilities: ['vision'],
      offers: [getOffer('openai', 'gone-1', { currency: 'USD', input: 1, output: 1 })],
    },
  ],
})

export const getEntry = (litellmProvider: string, more: object) => ({
  litellm_provider: litellmProvider,
  mode: 'chat',
  ...more,
})
export const gptEntry = {
  input_cost_per_token: 2e-6,
  output_cost_per_token: 1e-5,
  cache_read_input_token_cost: 2e-7,
  input_cost_per_token_above_272k_tokens: 4e-6,
  output_cost_per_token_above_272k_tokens: 1.5e-5,
  cache_read_input_token_cost_above_272k_tokens: 4e-7,
  // Prices of other service levels.
  input_cost_per_token_priority: 9e-5,
  input_cost_per_token_above_272k_tokens_batches: 1e-9,
  search_context_cost_per_query: { search_context_size_low: 0.005, search_context_size_high: 0.01 },
  // The window, without the longest answer.
  max_input_tokens: 900_000,
  max_output_tokens: 100_000,
  supports_function_calling: true,
  supports_reasoning: true,
}
/** Returns the prices of the file in LiteLLM's form. */
export const priceMap = (): Record<string, object> => ({
  // Rules of LiteLLM's own, no models.
  fallback_generalizations: { 'gpt-*': ['gpt-9'] },
  sample_spec: { litellm_provider: 'one of …', mode: 'one of …', max_tokens: 'LEGACY' },
  'gpt-9': getEntry('openai', gptEntry),
  'xai/grok-9': getEntry('xai', {
    input_cost_per_token: 2e-6,
    output_cost_per_token: 6e-6,
    input_cost_per_token_above_200k_tokens: 4e-6,
    output_cost_per_token_above_200k_tokens: 1.2e-5,
  }),
  'zai/glm-9': getEntry('zai', { input_cost_per_token: 1e-6, output_cost_per_token: 4e-6 }),
  'gone-1': getEntry('openai', {
    input_cost_per_token: 1e-6,
    output_cost_per_token: 1e-6,
    supports_vision: false,
  }),
})

/** The form of models.dev, with other prices. */
const model = {
  modalities: { input: ['text', 'image'], output: ['text'] },
  reasoning: true,
  tool_call: true,
}
export const modelsDevMap = {
  openai: {
    models: {
      'gpt-9': {
        ...model,
        limit: { context: 1_000_000, output: 100_000 },
        cost: {
          input: 2,
          output: 10,
          cache_read: 0.25,
          context_over_200k: { input: 9, output: 9 },
          tiers: [{ input: 4, output: 30, cache_read: 0.4, tier: { type: 'context', size: 272_000 } }],
        },
      },
      'gone-1': { ...model, status: 'deprecated', last_updated: '2026-03-01' },
    },
  },
  xai: {
    models: {
      'grok-9': { ...model, cost: { input: 2, output: 6, context_over_200k: { input: 5, output: 12 } } },
    },
  },
}
