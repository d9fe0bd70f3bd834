import type { ChatModel } from '#contract/models.ts'

/** Creates a model of the picker for tests, with the given overrides. */
export const createChatModel = (id: string, overrides: Partial<ChatModel> = {}): ChatModel => ({
  id,
  name: id,
  desc: '',
  vendor: '',
  tags: [],
  retires: null,
  platform: '甲',
  context_window: 64_000,
  max_tokens: 8_000,
  capabilities: [],
  thinking: null,
  guest: false,
  available: true,
  local: false,
  input_price: 0,
  output_price: 0,
  ...overrides,
})
