import type { PromptMessage } from '#server/llm/llm.ts'

/** How much of question and answer is shown to the model, characters. */
const MAX_SHOWN_CHARS = 1_500
const MAX_PROMPTS = 3
const MAX_PROMPT_CHARS = 80

const INSTRUCTION = [
  '你为一位读者推荐接下来可以问的问题。',
  '读完一问一答之后，写出三个他最可能接着问的问题：简短、具体、各不相同，用他自己的口吻和语言，每个不超过二十五个字。',
  '只输出一个 JSON 字符串数组，例如 ["…", "…", "…"]，不要输出别的。',
].join('\n')

/** What asks for the questions that could follow an answer. */
export const buildRelatedPrompt = (question: string, answer: string): PromptMessage[] => [
  { role: 'system', content: INSTRUCTION },
  {
    role: 'user',
    content: `【问】${question.slice(0, MAX_SHOWN_CHARS)}\n\n【答】${answer.slice(0, MAX_SHOWN_CHARS)}`,
  },
]

/** The questions in what a model wrote: a JSON array as it was asked for, else one a line; nothing of other kinds. */
export function parsePrompts(text: string): string[] {
  const lines = parseJsonList(text) ?? text.split('\n').filter((line) => /^\s*(\d+[.、)]|[-*•])/.test(line))
  const questions = lines
    .map((line) =>
      line
        .replace(/^\s*(\d+[.、)]|[-*•])\s*/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line && line.length <= MAX_PROMPT_CHARS)
  return [...new Set(questions)].slice(0, MAX_PROMPTS)
}

function parseJsonList(text: string): string[] | null {
  const array = /\[[^]*\]/.exec(text)?.[0]
  if (!array) return null
  try {
    const list: unknown = JSON.parse(array)
    return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : null
  } catch {
    return null
  }
}
