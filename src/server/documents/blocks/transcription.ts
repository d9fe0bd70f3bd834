import { openAsBlob } from 'node:fs'
import { getField, filterObjects, asString } from '#server/core/json.ts'
import type { Piece } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import { canUseModel, createTranscriptionOperation, DEFAULT_PREFERENCE } from '#server/llm/llm.ts'
import type { Catalogue, ModelEntry } from '#server/llm/llm.ts'
import type { RecordingMeter } from '#server/formats/formats.ts'
import type { CompletionHook, Runs } from '#server/runs/runs.ts'
import type { TaskExecution } from '#server/tasks/tasks.ts'
import * as store from './store.ts'
import type { StoredBlock } from './store.ts'

export type TranscriptionDeps = { runs: Runs; catalogue: Catalogue; recordings: RecordingMeter }

/** Most bytes of a recording: platforms take no more in one call. */
const MAX_RECORDING_BYTES = 25_000_000
/** A transcript without times is cut at the end of a sentence after about so many characters. */
const PIECE_CHARS = 600

export const isRecording = ({ type }: Pick<StoredBlock, 'type'>): boolean => type.startsWith('audio/')

/** Finds the first model of the models file that can transcribe recordings. */
export const findTranscriptionModel = (catalogue: Catalogue): ModelEntry | undefined =>
  catalogue.listModels().find(({ id }) => canUseModel(catalogue, id, { type: 'asr' }))

/**
 * Transcribes a recording with the first model that can, in a run of its own, held and charged by its length. Its pieces are
 * stored when the run is settled (`saveTranscripts`), so that a process that dies neither loses them nor pays twice. Returns the
 * micro-coins charged. Throws AppError: no model (document_recording), too large, not affordable, unreadable, refused.
 */
export async function transcribe(
  { runs, catalogue, recordings }: TranscriptionDeps,
  block: StoredBlock,
  path: string,
  task: Pick<TaskExecution<unknown>, 'account_id' | 'budgets' | 'signal'>,
): Promise<bigint> {
  const model = findTranscriptionModel(catalogue)
  if (!model) throw new AppError('document_recording')
  if (block.size > MAX_RECORDING_BYTES) throw new AppError('document_too_large')
  const recording = (await openAsBlob(path)).slice(0, block.size)
  const file = new File([recording], block.name, { type: block.type })
  const durationMs = await recordings.measure(file).catch((cause: unknown) => {
    throw cause instanceof AppError ? cause : new AppError('document_interrupted', { cause })
  })
  if (durationMs === null) throw new AppError('audio_unreadable')
  const run = await runs.createBatched({
    user_id: block.user_id,
    account_id: task.account_id,
    budgets: task.budgets,
    kind: 'transcript',
    subject_id: block.id,
    model: model.id,
    operation: createTranscriptionOperation({ file, duration_ms: durationMs, fields: [] }),
    preference: DEFAULT_PREFERENCE,
    free: false,
  })
  const { result, charged } = await run.executeTo({ type: 'buffer' }, task.signal)
  task.signal.throwIfAborted()
  if (result.code) throw new AppError(result.code)
  return charged
}

/** Stores transcripts in the transaction that charges for them. A block that is gone meanwhile needs none. */
export const saveTranscripts: CompletionHook = async (tx, settled) => {
  for (const { subject_id, result } of settled) {
    const output = result.operation_output
    const block = output?.type === 'json' && (await store.findBlockById(tx, subject_id))
    if (!block || block.pieces) continue
    await store.insertPieces(tx, block, 1, toPieces(output.answer))
  }
}

/** Cuts a transcript by the times of its segments where the platform states them, else by sentences. */
function toPieces(answer: object): Piece[] {
  const segments = filterObjects(getField(answer, 'segments')).flatMap((segment): Piece[] => {
    const [start, end] = [Number(segment['start']), Number(segment['end'])]
    const text = asString(segment['text']).trim()
    if (!text || !Number.isFinite(start) || !Number.isFinite(end)) return []
    return [{ text, place: { start_ms: Math.round(start * 1000), end_ms: Math.round(end * 1000) } }]
  })
  if (segments.length) return segments
  const sentences = asString(getField(answer, 'text')).match(/[^。！？!?.\n]*[。！？!?.\n]*/g) ?? []
  const texts: string[] = []
  for (const sentence of sentences) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + sentence.length <= PIECE_CHARS)
      texts[texts.length - 1] = last + sentence
    else if (sentence.trim()) texts.push(sentence)
  }
  return texts.map((text) => ({ text: text.trim(), place: {} }))
}
