import { describe, expect, test } from 'vitest'
import {
  deserializeResult,
  MAX_CACHED_BYTES,
  serializeResult,
} from '#server/gateway/pipeline/cached-result.ts'
import type { RunResult, SettledRun } from '#server/runs/runs.ts'

// Results lie in the database for up to seven days, so one version of the program reads what another wrote.

const tokens = { input: 12, output: 7, cached: 4, cache_write: 0, reasoning: 3 }
const prices = { input: 1n, output: 2n, cached_input: 1n, cache_write: 1n, reasoning: 2n, per_call: 0n }
const call = { id: 'call_1', name: 'weather', arguments: '{"city":"杭州"}' }
const block = { text: '先想', signature: 's1g', chars: 0, calls: 0 }

const createSettledRun = (result: Partial<RunResult>): SettledRun => ({
  run_id: '01890000-0000-7000-8000-000000000001',
  subject_id: '01890000-0000-7000-8000-000000000002',
  charged: 30n,
  timing: { first_text_ms: 5, reasoning_ms: null, duration_ms: 9 },
  result: {
    state: 'done',
    code: null,
    text: '源头',
    response: { reasoning: '先想', reasoning_blocks: [block], tool_calls: [call], finish: 'tool_calls' },
    billable: true,
    metered: { tokens, usage_source: 'upstream' },
    flagged: null,
    platform: 'scripted',
    prices: { ...prices, discount: 10_000n },
    attempts: [],
    ...result,
  },
})

const createOutput = (bytes: Buffer | null) => ({ type: 'bytes' as const, media_type: 'audio/mpeg', bytes })

describe('a cached result', () => {
  test('is stored under the names that earlier versions read', () => {
    expect(JSON.parse(serializeResult(createSettledRun({})))).toEqual({
      run_id: '01890000-0000-7000-8000-000000000001',
      subject_id: '01890000-0000-7000-8000-000000000002',
      outcome: { state: 'done', code: null, text: '源头' },
      said: { reasoning: '先想', thoughts: [block], tool_calls: [call], finish: 'tool_calls' },
      produced: true,
      metered: { tokens, usage_source: 'upstream' },
    })
  })

  test('of an earlier version is read', () => {
    const stored = `{"run_id":"01890000-0000-7000-8000-000000000001","subject_id":"01890000-0000-7000-8000-000000000002",
      "outcome":{"state":"done","code":null,"text":"源头"},
      "said":{"reasoning":"先想","thoughts":[{"text":"先想","signature":"s1g","chars":0,"calls":0}],
        "tool_calls":[{"id":"call_1","name":"weather","arguments":"{\\"city\\":\\"杭州\\"}"}],"finish":"tool_calls"},
      "produced":true,
      "metered":{"tokens":{"input":12,"output":7,"cached":4,"cache_write":0,"reasoning":3},"usage_source":"upstream"},
      "platform":"scripted","charged":"30","times":{"first_text_ms":5,"reasoning_ms":null}}`
    expect(deserializeResult(stored)).toEqual({
      state: 'done',
      code: null,
      text: '源头',
      response: { reasoning: '先想', reasoning_blocks: [block], tool_calls: [call], finish: 'tool_calls' },
      metered: { tokens, usage_source: 'upstream' },
    })
  })

  test.each([
    ['bytes', createOutput(Buffer.from('声音')), createOutput(Buffer.from('声音'))],
    ['bytes that were too many', createOutput(null), createOutput(null)],
    ['JSON', { type: 'json' as const, answer: { data: [1] } }, { type: 'json', answer: { data: [1] } }],
    [
      'JSON that is too large',
      { type: 'json' as const, answer: { data: 'x'.repeat(MAX_CACHED_BYTES) } },
      { type: 'bytes', media_type: 'application/json', bytes: null },
    ],
  ])('of an operation keeps its output: %s', (_, operationOutput, kept) => {
    const { operation_output: read } = deserializeResult(
      serializeResult(createSettledRun({ operation_output: operationOutput })),
    )
    expect(read).toEqual(kept)
  })

  test('of an operation of an earlier version is read', () => {
    const stored = `{"run_id":"01890000-0000-7000-8000-000000000001","subject_id":"01890000-0000-7000-8000-000000000002",
      "outcome":{"state":"done","code":null,"text":""},"said":{"reasoning":"","tool_calls":[],"finish":null},
      "produced":true,"metered":{"tokens":{"input":0,"output":0,"cached":0,"cache_write":0,"reasoning":0},"units":2,
      "usage_source":"counted"},"made":{"type":"bytes","media_type":"audio/mpeg","base64":"5aOw6Z+z"}}`
    expect(deserializeResult(stored)).toMatchObject({
      metered: { units: 2 },
      operation_output: createOutput(Buffer.from('声音')),
    })
  })
})
