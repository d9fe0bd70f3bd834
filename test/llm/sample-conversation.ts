import type { ChatRequest, Tool } from '#server/llm/chat-request.ts'

/** A question with pictures, two calls made together, their results, an answer, and the next question. */
export const CONVERSATION: ChatRequest = {
  messages: [
    { role: 'system', content: '简短。' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '看图' },
        { type: 'image', media_type: 'image/png', data: 'iVBORw0KGgo=' },
        { type: 'image', url: 'https://example.com/a.png' },
      ],
    },
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: 'call_1', name: 'weather', arguments: '{"city":"杭州"}', signature: 'c2lnbmVk' },
        { id: 'call_2', name: 'time', arguments: '' },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '{"celsius":21}' },
    { role: 'tool', tool_call_id: 'call_2', content: '八点' },
    { role: 'assistant', content: '杭州二十一度。' },
    { role: 'user', content: '谢谢' },
  ],
  max_tokens: 4000,
  temperature: 0.5,
  top_p: 0.9,
  stop_sequences: ['完'],
  seed: 7,
}

export const TOOLS: Tool[] = [
  {
    name: 'weather',
    description: '天气',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
  { name: 'time', parameters: { type: 'object', properties: {} } },
]
