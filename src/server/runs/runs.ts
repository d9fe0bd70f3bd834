import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../core/app-error.ts'
import { newId } from '../core/clock.ts'
import type { Db } from '../core/database.ts'
import type { Log } from '../core/log.ts'
import { fundsOf } from '../ledger/accounts.ts'
import { holdAll } from '../ledger/holds.ts'
import { affordableOutput, costBound, FREE } from '../ledger/prices.ts'
import type { PromptMessage } from '../llm/chat.ts'
import type { Llm } from '../llm/llm.ts'
import { countPrompt } from '../llm/tokens.ts'
import { drive } from './drive.ts'
import { openFinish } from './finish.ts'
import type { OnEnd } from './finish.ts'
import { LiveRun } from './live-run.ts'
import type { RunEvent } from './live-run.ts'
import { insertChunks, insertRun, runEnd, storedText, touchHost } from './store.ts'
import { openStreamLog } from './stream-log.ts'
import { openSweeper } from './sweeper.ts'

/** What a feature asks of the pipe. */
export type RunRequest = {
  user_id: string
  kind: string
  subject_id: string
  model: string
  messages: PromptMessage[]
  /** Tokens wanted at most; capped by what the balance affords. */
  max_tokens: number
  temperature?: number
  /** The house pays (turns of guests). */
  free: boolean
}

/** A run whose hold and row are in the caller's transaction. Start it after the commit; forget it after a rollback. */
export type OpenedRun = { run_id: string; platform: string; start(): void }

/** Fewer output tokens than this are not worth starting. */
const LEAST_OUTPUT = 16
/** Tokenizers differ: the hold takes this much more input than was counted, in percent. */
const INPUT_MARGIN = 130
/** How often a run that another process drives is looked at, ms. */
const POLL_MS = 300

export type Runs = ReturnType<typeof openRuns>

/**
 * The one pipe of all doors: hold, route, stream log, settle, record. `kinds` says what each feature does when a run
 * of its kind ends. `exclusive`: no other process can use the database, so what runs there at the start is orphaned.
 */
export function openRuns(options: {
  db: Db
  llm: Llm
  log: Log
  kinds: Record<string, OnEnd>
  exclusive: boolean
}) {
  const { db, llm, log, kinds } = options
  const host_id = newId()
  const live = new Map<string, { run: LiveRun; ended: Promise<void> }>()
  const streamLog = openStreamLog((chunks) => insertChunks(db, chunks), log)
  const kindOf = (kind: string): OnEnd => {
    const onEnd = kinds[kind]
    if (!onEnd) throw new Error(`no kind of run is called ${kind}`)
    return onEnd
  }
  const finish = openFinish(db, kindOf, log)
  const sweeper = openSweeper({ db, log, finish, host_id, exclusive: options.exclusive })

  return {
    /** Holds what the run may cost and records it. Throws AppError model_unavailable or insufficient_balance. */
    async open(tx: Db, request: RunRequest): Promise<OpenedRun> {
      const offer = llm.offers(request.model)[0]
      if (!offer) throw new AppError('model_unavailable')
      const run_id = newId()
      const prices = request.free ? FREE : offer.prices
      const input_tokens = countPrompt(request.messages, request.model)
      const held_input = Math.ceil((input_tokens * INPUT_MARGIN) / 100)
      const { free } = await fundsOf(tx, request.user_id)
      const max_tokens = affordableOutput(free, held_input, request.max_tokens, prices)
      if (max_tokens < Math.min(LEAST_OUTPUT, request.max_tokens)) throw new AppError('insufficient_balance')
      const amount = costBound(held_input, max_tokens, prices)
      const [refusal] = await holdAll(tx, [{ run_id, user_id: request.user_id, amount }])
      if (refusal) throw new AppError(refusal)
      const { user_id, kind, subject_id, model, messages, temperature } = request
      const row = {
        id: run_id,
        user_id,
        kind,
        subject_id,
        model,
        platform: offer.platform,
        input_tokens,
        prices,
      }
      await insertRun(tx, row, host_id)
      const start = (): void => {
        const run = new LiveRun(run_id)
        const prompt = { messages, max_tokens, ...(temperature === undefined ? {} : { temperature }) }
        const ended = drive({ run, offer, request: prompt, llm, streamLog, log }).then(async (driven) => {
          await finish({ run: row, driven, first_text_at: run.first_text_at })
          run.end(driven.outcome)
          live.delete(run_id)
        })
        live.set(run_id, { run, ended })
      }
      return { run_id, platform: offer.platform, start }
    },

    /** Everything of a run after `after` characters, then what comes, until it ends or `signal` aborts. */
    async *attach(run_id: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
      const here = live.get(run_id)?.run
      if (here) return yield* here.read(after, signal)
      const mirror = new LiveRun(run_id)
      void follow(db, log, mirror, signal)
      yield* mirror.read(after, signal)
    },

    /** The text of a running run so far. */
    async textSoFar(run_id: string): Promise<string> {
      return live.get(run_id)?.run.text ?? (await storedText(db, run_id))
    },

    /** Stops a run and resolves when it has ended. False when this process does not drive it. */
    async cancel(run_id: string): Promise<boolean> {
      const entry = live.get(run_id)
      if (!entry) return false
      entry.run.cancelled = true
      entry.run.abort.abort()
      await entry.ended
      return true
    },

    /** Ends what earlier processes left running, and begins to look after the others. */
    async recover(): Promise<void> {
      await touchHost(db, host_id)
      await sweeper.start()
    },

    /** Ends every run as interrupted: what was produced is kept and charged. */
    async stop(): Promise<void> {
      sweeper.stop()
      for (const { run } of live.values()) run.abort.abort()
      await Promise.all([...live.values()].map(({ ended }) => ended))
    },
  }
}

/** Mirrors a run that another process drives, by looking at its stream log. */
async function follow(db: Db, log: Log, mirror: LiveRun, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !mirror.outcome) {
    try {
      await look(db, mirror)
    } catch (err) {
      log.error({ err, run_id: mirror.run_id }, 'following a run failed, trying again')
    }
    await sleep(POLL_MS)
  }
}

async function look(db: Db, mirror: LiveRun): Promise<void> {
  // The end is looked at before the text, so that no text can come between the two.
  const end = await runEnd(db, mirror.run_id)
  const text = await storedText(db, mirror.run_id)
  if (!text.startsWith(mirror.text)) mirror.publish(text, true)
  else if (text !== mirror.text) mirror.publish(text.slice(mirror.text.length), false)
  if (end !== null) mirror.end({ ...(end ?? { state: 'failed', code: 'internal' }), text })
}
