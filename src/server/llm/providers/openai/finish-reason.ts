import { UpstreamError } from '../../upstream-error.ts'

const listWords = (words: string): string[] => words.split(/\s+/)

/**
 * The words of servers of this dialect, in lower case, by their meaning: those of OpenAI, Anthropic, Google and Cohere, which
 * proxies pass on, and of vLLM, SGLang, Hugging Face, DeepSeek, 智谱, 百炼 and MiniMax.
 */
const MEANINGS: [meaning: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'error', words: string[]][] =
  [
    [
      'stop',
      listWords(
        'stop end_turn stop_sequence eos eos_token complete completed done finish finished end null normal',
      ),
    ],
    [
      'length',
      listWords(`length max_tokens max_output_tokens max_length model_length context_length context_length_exceeded
      model_context_window_exceeded token_limit max_new_tokens truncated incomplete`),
    ],
    ['tool_calls', listWords('tool_calls tool_call tool_use function_call function_calls tool')],
    [
      'content_filter',
      listWords(`content_filter content_filtered sensitive safety recitation language blocklist prohibited_content spii
      image_safety refusal guardrail_intervened error_toxic moderation data_inspection_failed`),
    ],
    [
      'error',
      listWords(`error failed insufficient_system_resource network_error abort aborted cancelled canceled timeout
      malformed_function_call malformed_response unexpected_tool_call other internal_error server_error overloaded`),
    ],
  ]
const MEANING_BY_WORD = new Map(
  MEANINGS.flatMap(([meaning, words]) => words.map((word) => [word, meaning] as const)),
)

/**
 * Translates the reason why an answer ended into OpenAI's words. An unknown word is kept, so that the operator sees it; callers
 * are not to take such an answer for whole. Throws UpstreamError for a word that means a failure.
 */
export function toFinishReason(word: string): string {
  const meaning = MEANING_BY_WORD.get(word.toLowerCase())
  if (meaning === 'error') throw new UpstreamError('upstream_failed', `finish reason ${word}`)
  return meaning ?? word
}
