import type { Tokens } from '#server/ledger/ledger.ts'
import { countTokens, estimateInput } from '#server/llm/llm.ts'
import type { StreamPart, ChatRequest, Usage } from '#server/llm/llm.ts'
import type { HeldChatRun } from './create-run.ts'
import { createRoute, switchOffer, toErrorState, waitUnlessAborted } from './execution.ts'
import type { ExecuteOptions, RunOutput } from './execution.ts'
import type { LiveRun } from './live-run.ts'
import { createGuardedOutput } from './output-guard.ts'
import type { GuardedOutput } from './output-guard.ts'
import { ResponseAccumulator } from './response-accumulator.ts'
import { createThoughtFilter } from './thought-tags.ts'
import type { MeteredUsage, ResponseDetails, RunNote, RunResult, RunText } from './result.ts'

/** Requests an answer from the planned platforms and emits it to the output. Always returns a result, never throws. */
export async function executeChatRun(options: ExecuteOptions<HeldChatRun>): Promise<RunResult> {
  const { run, held_run, llm, output } = options
  const { row, plan } = held_run
  const route = createRoute(held_run)
  const isNeeded = (): boolean =>
    output.type !== 'stream' || held_run.request.prepare?.finish !== undefined || output.isTextNeeded()
  const accumulator = new ResponseAccumulator(isNeeded)
  let end: Pick<RunResult, 'state' | 'code' | 'retry_after' | 'rejection'> = { state: 'done', code: null }
  let { input_tokens } = row
  let guarded: GuardedOutput | null = null
  const emit = (part: StreamPart): Promise<void> | void => {
    // The log of a logged run has its text and reasoning.
    if (output.type !== 'log' || !('text' in part)) accumulator.add(part)
    return emitPart(part, run, output)
  }
  const deliver = (part: StreamPart): Promise<void> | void => {
    const delivered = emit(part)
    if (delivered) return waitUnlessAborted(delivered, run.abort.signal)
  }
  const deliverAll = async (parts: StreamPart[]): Promise<void> => {
    for (const part of parts) await deliver(part)
  }
  const thoughts = createThoughtFilter(output.type !== 'stream')
  const guardPart = (part: StreamPart): StreamPart[] => guarded?.filter(part) ?? [part]
  try {
    const request = await preparePrompt(held_run, run)
    if (request !== held_run.prompt) input_tokens = estimateInput(request, row.model)
    const guard = held_run.request.createGuard?.(request.messages)
    guarded = guard ? createGuardedOutput(guard) : null
    await llm.streamChat({
      plan,
      request,
      signal: guarded ? AbortSignal.any([run.abort.signal, guarded.signal]) : run.abort.signal,
      onAttempt: (attempt) => route.attempts.push(attempt),
      onPart: (part) => {
        if (part.type === 'offer') {
          held_run.request.prepare?.release?.()
          return switchOffer(part.offer, route, options)
        }
        // Answers beyond the requested number are dropped and cost nothing.
        if (part.type === 'choice' && part.index >= (held_run.prompt.n ?? 1)) return
        if (!guarded && thoughts.isOver()) return deliver(part)
        const parts = thoughts.filter(part).flatMap(guardPart)
        const [only] = parts
        return only && parts.length === 1 ? deliver(only) : deliverAll(parts)
      },
    })
  } catch (error) {
    // An answer that its guard ended has ended well.
    if (!guarded?.signal.aborted) end = toErrorState(error, options, route)
  } finally {
    held_run.request.prepare?.release?.()
  }
  for (const part of [...thoughts.end().flatMap(guardPart), ...(guarded?.end() ?? [])]) void emit(part)
  const { usage, flagged, details } = accumulator
  // The stored text is the one that readers saw.
  const logged = output.type === 'log' ? await output.streamLog.close(run) : null
  // An answer without a log seldom has its text read; it is joined when it is.
  const getText = (): string => logged?.text ?? accumulator.text.text
  const response = logged ? { ...details, reasoning: logged.reasoning } : details
  const calls = joinCalls(response.tool_calls) + joinAlternatives(response)
  const hasAnswer = logged ? logged.text !== '' : accumulator.text.length > 0 || calls !== ''
  // A program gets the reason why an answer ended without a text; a person cannot use it.
  if (output.type === 'log' && end.state === 'done' && !hasAnswer)
    end = { state: 'failed', code: 'upstream_empty' }
  const metered = usage
    ? toMeteredUsage(usage)
    : await countUsage(
        { model: row.model, input_tokens },
        guarded?.produced ?? { text: getText() + calls, reasoning: response.reasoning },
        guarded || logged ? undefined : accumulator,
      )
  const hasOutput = hasAnswer || response.reasoning !== '' || response.pictures !== undefined
  // Nobody pays for an answer that was lost on our side, however much of it came.
  const billable = end.code !== 'internal' && isBillable(output, end.state, hasOutput)
  const note = finishNote(options, getText)
  return {
    ...end,
    get text() {
      return getText()
    },
    response,
    billable,
    unsaved_chunk: logged?.unsaved_chunk,
    metered,
    flagged,
    ...route,
    ...(note && { note }),
  }
}

/** Returns the feature's note on the text. An error here does not fail the run. */
function finishNote(
  { held_run, run, log }: ExecuteOptions<HeldChatRun>,
  getText: () => string,
): RunNote | null {
  try {
    return held_run.request.prepare?.finish?.(getText()) ?? null
  } catch (err) {
    log.error({ err, run_id: run.run_id }, 'the note at the end of a run failed')
    return null
  }
}

const joinCalls = (calls: ResponseDetails['tool_calls']): string =>
  calls.map((call) => call.name + call.arguments).join('')

/** Joins all output of the answers after the first. */
const joinAlternatives = ({ alternatives = [] }: ResponseDetails): string =>
  alternatives.map(({ text, reasoning, tool_calls }) => text + reasoning + joinCalls(tool_calls)).join('')

/** Returns the request after the feature's work on it. */
async function preparePrompt({ request, prompt }: HeldChatRun, run: LiveRun): Promise<ChatRequest> {
  if (!request.prepare) return prompt
  const { run_id, abort } = run
  const messages = await request.prepare.buildMessages({
    run_id,
    messages: prompt.messages,
    signal: abort.signal,
    setNote: (note) => run.setNote(note),
  })
  abort.signal.throwIfAborted()
  return { ...prompt, messages }
}

function emitPart(part: StreamPart, run: LiveRun, output: RunOutput): Promise<void> | void {
  if (part.type === 'usage' || part.type === 'usage_flagged' || part.type === 'finish') return
  if (part.type === 'reasoning') run.markReasoning()
  if (output.type !== 'log' || part.type !== 'reasoning') run.markFirstOutput()
  if (output.type === 'stream') return output.onPart(part)
  if (output.type !== 'log') return
  if (part.type === 'picture') return output.streamLog.appendText(run, writePicture(part.url), false)
  if (!('text' in part)) return
  if (part.type === 'reasoning') output.streamLog.appendReasoning(run, part.text)
  else output.streamLog.appendText(run, part.text, part.type === 'replace')
}

/** Writes a picture into a text: pages show pictures by https addresses, not megabytes of data URLs. */
const writePicture = (url: string): string =>
  url.startsWith('https://') ? `\n\n![](${url})\n\n` : '\n\n（模型生成了一张图片，这里暂时不能显示）\n\n'

/**
 * Tells whether a run is charged: it delivered text or reasoning, or came to its end. A client that waits for a whole answer gets
 * nothing of one that broke off.
 */
function isBillable(output: RunOutput, state: RunResult['state'], hasOutput: boolean): boolean {
  const isBroken = state === 'failed' || state === 'interrupted'
  if (output.type === 'buffer' && isBroken) return false
  return hasOutput || state === 'done'
}

/** Converts the usage that the upstream reported. */
function toMeteredUsage({ cache_write = 0, audio, image, searches = 0, ...counts }: Usage): MeteredUsage {
  const tokens = { ...counts, cache_write, ...toMediaTokens(audio, image) }
  return { tokens, usage_source: 'upstream', ...(searches ? { searches } : {}) }
}

/**
 * Counts a run's usage from its output, for upstreams that do not report it. The input is the estimate that the hold was made
 * from: the prompt itself may be gone when a run is settled after a crash.
 */
export async function countUsage(
  run: { model: string; input_tokens: number },
  produced: RunText,
  gathered?: ResponseAccumulator,
): Promise<MeteredUsage> {
  const { model } = run
  const forgotten = (of: 'text' | 'reasoning'): number => gathered?.[of].estimateForgotten(model) ?? 0
  const reasoning = (await countTokens(produced.reasoning, model)) + forgotten('reasoning')
  const output = (await countTokens(produced.text, model)) + forgotten('text') + reasoning
  return {
    tokens: { input: run.input_tokens, output, cached: 0, cache_write: 0, reasoning },
    usage_source: 'counted',
  }
}

const toMediaTokens = (audio: Usage['audio'], image: Usage['image']): Partial<Tokens> => ({
  ...(audio ? { audio_input: audio.input, audio_output: audio.output } : {}),
  ...(image ? { image_input: image.input, image_output: image.output } : {}),
})
