import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, upstreamBodies } from './report.ts'
import type { Body } from './report.ts'

// Shared by the coding agents: tasks of many calls, with ids as each family of models makes them.

/** Gemini takes this instead of a signature, but thinks the worse for it. */
const NO_SIGNATURE = 'skip_thought_signature_validator'

/** A call of a tool, and what its result has in it. */
export type Step = { name: string; input: object; expects: string }

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const toDigits = (text: string): string => BigInt(`0x${hash(text)}`).toString().slice(0, 19)

/** The id of the nth call of a conversation, as a model of this family makes it; Gemini makes none. */
export function createCallId(model: string, { name }: Step, nth: number): string {
  const seed = `${model} ${nth}`
  if (model.startsWith('deepseek')) return `call_00_${hash(seed).slice(0, 24)}`
  if (model.startsWith('kimi')) return `functions.${name}:${nth}`
  if (model.startsWith('minimax')) return `call_function_${hash(seed).slice(0, 12)}_1`
  if (model.startsWith('glm')) return `call_-${toDigits(seed)}`
  if (model.startsWith('mistral')) return hash(seed).slice(0, 9)
  if (model.startsWith('claude')) return `toolu_01${hash(seed).slice(0, 22)}`
  return model.startsWith('gemini') ? '' : `call_${hash(seed).slice(0, 24)}`
}

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAF0lEQVR4nGP4z8BAEiJN9aiGUQ1DSgMAkPn/Afnh+ngAAAAASUVORK5CYII='
/** How every picture of this type begins in base64. */
export const PICTURE_HEAD = PICTURE.slice(0, 12)

/** The path of a new red picture. */
export function createPicture(folder: string): string {
  const path = join(folder, 'red.png')
  writeFileSync(path, Buffer.from(PICTURE, 'base64'))
  return path
}

/** Families whose models see no pictures. */
export const isBlind = (model: string): boolean => /^(deepseek|minimax|glm)/.test(model)

const openaiError = (message: string, code: string) => ({ error: { message, type: 'invalid_request_error', code } })
/** In the words of each platform. */
const TOO_LONG: Record<string, object> = {
  deepseek: openaiError(
    "This model's maximum context length is 1048576 tokens. However, you requested 1200000 tokens (1168000 in the messages, 32000 in the completion). Please reduce the length of the messages or completion.",
    'invalid_request_error',
  ),
  kimi: openaiError(
    'Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)',
    'invalid_request_error',
  ),
  minimax: {
    type: 'error',
    error: {
      type: 'bad_request_error',
      message: 'invalid params, context window exceeds limit (2013)',
      http_code: '400',
    },
  },
  qwen3: openaiError(
    '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]',
    'invalid_parameter_error',
  ),
  glm: { error: { code: '1261', message: 'Prompt 超长' } },
  mistral: {
    object: 'error',
    message:
      'Prompt contains 300000 tokens and 0 draft tokens, too large for model with 262144 maximum context length',
    type: 'invalid_request_prompt',
    code: '3051',
  },
  claude: {
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message: 'prompt is too long: 1200000 tokens > 1000000 maximum',
    },
  },
  gemini: {
    error: {
      code: 400,
      message:
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      status: 'INVALID_ARGUMENT',
    },
  },
}

/** A script: the prompt is longer than the model can read. */
export const createTooLong = (model: string): object => {
  const family = Object.keys(TOO_LONG).find((one) => model.startsWith(one)) ?? ''
  return { status: 400, body: JSON.stringify(TOO_LONG[family]) }
}

/** Usage that says that a prompt was so long, in the words of the model's dialect. */
export function createUsage(model: string, tokens: number): object {
  if (model.startsWith('claude')) return { input_tokens: tokens, output_tokens: 1 }
  if (model.startsWith('gemini'))
    return { promptTokenCount: tokens, candidatesTokenCount: 1, totalTokenCount: tokens + 1 }
  return { prompt_tokens: tokens, completion_tokens: 1, total_tokens: tokens + 1 }
}

/** Scripts of a model that thinks and makes the calls of one turn after the other, then says so; `when` as in a script. */
export function createTask(model: string, turns: Step[][], last: string, when?: string): object[] {
  let nth = 0
  const calling = turns.map((steps, turn) => ({
    when,
    reasoning: `第 ${turn + 1} 步：想一想。`,
    ...(turn % 3 ? {} : { text: `第 ${turn + 1} 步` }),
    tool_calls: steps.map((step) => ({
      id: createCallId(model, step, nth++),
      name: step.name,
      arguments: JSON.stringify(step.input),
    })),
  }))
  return [...calling, { when, text: last }]
}

/** Checks that the platform got the result of each step and nothing else. */
export async function checkResults(model: string, turns: Step[][]): Promise<void> {
  const body = (await upstreamBodies(model)).at(-1) ?? {}
  const results = listResults(body)
  const steps = turns.flat()
  check(results.length === steps.length, `${results.length} of ${steps.length} results: ${results.at(-1)}`)
  for (const [index, { name, expects }] of steps.entries())
    check(results[index]?.includes(expects), `result ${index + 1}, of ${name}: ${results[index]}`)
  check(!JSON.stringify(body).includes(NO_SIGNATURE), 'a stand-in is sent instead of the signature of a call')
}

/** Checks that one of the requests for a model has this in it. */
export async function checkSent(model: string, text: string, otherwise: string): Promise<void> {
  check(JSON.stringify(await upstreamBodies(model)).includes(text), otherwise)
}

type Part = Body & { parts?: Part[]; content?: unknown }
type Result = { id: unknown; text: string }

const asParts = (value: unknown): Part[] => (Array.isArray(value) ? (value as Part[]) : [])

/**
 * The results of tools in a request of any dialect, as text: in the order of their calls, whose ids tell which they belong
 * to. Gemini has only the order.
 */
function listResults({ messages, contents }: Body): string[] {
  const results: Result[] = []
  let open: Result[] = []
  for (const message of [...asParts(messages), ...asParts(contents)]) {
    if (message['role'] !== 'user' && message['role'] !== 'tool') {
      results.push(...open)
      open = listCallIds(message).map((id) => ({ id, text: 'none' }))
    }
    for (const [nth, { id, text }] of listMessageResults(message).entries()) {
      const result = id === undefined ? open[nth] : open.find((one) => one.id === id)
      if (result) result.text = text
      else open.push({ id, text })
    }
  }
  return [...results, ...open].map(({ text }) => text)
}

const listCallIds = ({ tool_calls, content, parts }: Part): unknown[] => [
  ...asParts(tool_calls).map(({ id }) => id),
  ...asParts(content).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])),
  ...asParts(parts).flatMap((part) => ('functionCall' in part ? [undefined] : [])),
]

function listMessageResults({ role, content, parts, tool_call_id }: Part): Result[] {
  if (role === 'tool') return [{ id: tool_call_id, text: JSON.stringify(content) }]
  return [...asParts(content), ...asParts(parts)].flatMap((part) => {
    if (part['type'] === 'tool_result')
      return { id: part['tool_use_id'], text: JSON.stringify(part.content) }
    const { functionResponse } = part
    return functionResponse ? { id: undefined, text: JSON.stringify(functionResponse) } : []
  })
}
