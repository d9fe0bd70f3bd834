import type { Block } from '#contract/blocks.ts'
import { request } from '#web/core/api.ts'
import { BLOCK_CHANNEL, getUploadModule, isBeingRead, rememberBlock } from '#web/files/files.ts'
import { filesText } from '#web/text/files.ts'
import { recordingText } from '#web/text/voice.ts'
import { discardRunning, stopRecording } from './recorder.ts'
import { getRecording, setRecording } from './recordingStore.ts'
import { rememberSound } from './soundQueries.ts'

const POLL_MS = 400

/** Uploads in progress, by conversation. */
const controllers = new Map<string, AbortController>()

/**
 * Uploads the recording, has it transcribed, then hands over its block, which is asked as a question. A failure is shown beside
 * the recording, which can be sent again.
 */
export async function sendRecording(
  conversationKey: string,
  onSent: (blockId: string) => void,
): Promise<void> {
  await stopRecording(conversationKey)
  const recorded = getRecording(conversationKey)
  if (recorded?.state !== 'recorded') return
  const { file, sound } = recorded
  const controller = new AbortController()
  const { signal } = controller
  controllers.set(conversationKey, controller)
  let { block_id } = recorded
  const show = (step: string) =>
    !signal.aborted && setRecording(conversationKey, { state: 'sending', sound, step })
  const giveBack = (note: string | null) =>
    setRecording(conversationKey, { state: 'recorded', file, sound, note, block_id })
  show(recordingText.uploading(0))
  const uploads = await getUploadModule().catch(() => null)
  if (!uploads) return giveBack(recordingText.failed)
  try {
    const uploadedBlock = await uploads.uploadFile(
      { file, channel: BLOCK_CHANNEL },
      {
        signal,
        onProgress: ({ state, percent }) =>
          show(state === 'cut' ? filesText.cut(percent) : recordingText.uploading(percent)),
      },
    )
    block_id = uploadedBlock.id
    show(recordingText.recognising)
    const block = await waitUntilRead(uploadedBlock, signal)
    if (block.status === 3) return giveBack(block.error)
    if (!block.chars) {
      deleteBlock(block_id)
      return setRecording(conversationKey, { state: 'refused', reason: recordingText.nothingHeard })
    }
    rememberBlock(block)
    rememberSound(block_id, sound)
    setRecording(conversationKey, undefined)
    onSent(block_id)
  } catch (error) {
    giveBack(signal.aborted ? null : uploads.describeFailure(error))
  } finally {
    controllers.delete(conversationKey)
  }
}

/** Stops sending, and restores the recording. */
export const cancelSending = (conversationKey: string): void => controllers.get(conversationKey)?.abort()

/** Discards a finished or running recording. */
export function discardRecording(conversationKey: string): void {
  const recording = getRecording(conversationKey)
  if (recording?.state === 'recorded' && recording.block_id) deleteBlock(recording.block_id)
  discardRunning(conversationKey)
  setRecording(conversationKey, undefined)
}

/** Deletes an upload that will not be asked. If that fails, it stays among the person's documents. */
const deleteBlock = (id: string): void =>
  void request('DELETE /api/block/{id}', { params: { id } }).catch(() => {})

async function waitUntilRead(block: Block, signal: AbortSignal): Promise<Block> {
  let current = block
  while (isBeingRead(current)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    current = (await request('GET /api/block/{id}', { params: { id: block.id } }, { signal })).data
  }
  return current
}
