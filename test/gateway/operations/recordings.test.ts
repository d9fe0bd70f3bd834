import { beforeAll, expect, test } from 'vitest'
import { createWav } from '../../world/upstream/operations.ts'
import { useWorld } from '../../world/use-world.ts'
import { readError } from '../caller.ts'
import { createOperationCaller, getNewestBill } from './operation-caller.ts'
import type { OperationCaller } from './operation-caller.ts'
import {
  createEmptyWav,
  createFlac,
  createFragmentedMp4,
  createM4a,
  createMp3,
  createOgg,
  createWebm,
} from './recordings.ts'

// A recording costs by its contents, whatever its headers claim.

const world = useWorld()
let caller: OperationCaller
beforeAll(async () => {
  caller = await createOperationCaller(world)
})

const upload = (bytes: Buffer, who = caller) =>
  who.upload({ model: 'scripted-asr', file: new File([new Uint8Array(bytes)], '录音') })

test.each([
  ['an MP3 that claims two frames', createMp3(60, 2), 60_024],
  ['an M4A whose tables claim a second', createM4a(60, 1), 60_032],
  ['a FLAC that claims a sample', createFlac(60, 1), 59_904],
  ['an Ogg whose pages claim a sample', createOgg(60, 1), 60_000],
  ['a WAV that a recorder could not finish', finishNever(createWav(60)), 60_000],
  ['a WebM of a browser, which says nothing', createWebm(60), 60_000],
  ['an MP4 in fragments, whose times say nothing', createFragmentedMp4(60), 60_000],
])('%s is paid by what is in it', async (_, bytes, ms) => {
  const response = await upload(bytes)
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('问渠')])
  expect(await getNewestBill(world, caller)).toMatchObject({ units: ms, usage_source: 'counted' })
})

test.each([
  ['of parts that hold nothing', createEmptyWav()],
  ['of one frame and much else', Buffer.concat([createMp3(0.1, 1), Buffer.alloc(5_000_000, 1)])],
  ['of Opus packets that all are the beginning of one', createWebm(1).subarray(0, 40)],
  ['of one byte over and over', Buffer.alloc(20_000_000, 0xff)],
])('a file %s is refused', async (_, bytes) => {
  expect(await readError(await upload(bytes))).toMatchObject({ status: 400, code: 'audio_unreadable' })
})

test('what a platform heard beyond what was counted is paid, as far as it was held', async () => {
  world.upstream.script('scripted-asr', { answer: { duration: 10.5 } })
  expect((await upload(createWav(10))).status).toBe(200)
  expect(await getNewestBill(world, caller)).toMatchObject({ units: 10_500, usage_source: 'upstream' })
  world.upstream.script('scripted-asr', { answer: { duration: 13 } })
  expect((await upload(createWav(10))).status).toBe(200)
  expect(await getNewestBill(world, caller)).toMatchObject({ units: 10_000, flagged: '13' })
  world.upstream.script('scripted-asr', {})
})

test('who cannot pay for the shortest that it can be is refused before it is measured', async () => {
  const poor = await createOperationCaller(world, { credit_limit: 0.05 })
  const response = await upload(Buffer.alloc(20_000_000, 0xff), poor)
  expect(await readError(response)).toMatchObject({ status: 402, code: 'key_limit_reached' })
})

/** Leaves a recording as if it were streamed: its sizes stay zero. */
function finishNever(wav: Buffer): Buffer {
  wav.writeUInt32LE(0, 4)
  wav.writeUInt32LE(0, 40)
  return wav
}
