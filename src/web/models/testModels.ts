import type { ModelCard, ModelOffer } from '#contract/models.ts'

/** Creates an offer for tests, with the given overrides. */
export const createOffer = (overrides: Partial<ModelOffer> = {}): ModelOffer => ({
  platform: 'one',
  alias: '腾讯云 TokenHub',
  configured: true,
  input: 200,
  output: 300,
  cached_input: 20,
  cache_write: 200,
  reasoning: 300,
  per_call: 0,
  latency_ms: null,
  throughput: null,
  uptime: null,
  ...overrides,
})

/** Creates a model for tests, with the given overrides. */
export const createModelCard = (overrides: Partial<ModelCard> = {}): ModelCard => ({
  id: 'model',
  name: 'Gemini 3.5 Flash-Lite',
  desc: '',
  vendor: '',
  tags: [],
  retires: null,
  type: 'chat',
  context_window: 8192,
  max_tokens: 4096,
  capabilities: [],
  guest: false,
  available: true,
  local: false,
  discount: 1,
  offers: [createOffer()],
  ...overrides,
})
