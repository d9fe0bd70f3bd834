import { loadavg } from 'node:os'
import { cpuSeconds, machineCpuSeconds, treeCpuSeconds } from './cpu.ts'
import { runInProcess } from './clients-process.ts'
import type { Load, LoadResult } from './clients-process.ts'
import type { BenchProcess } from './processes.ts'

/** Figures of many calls through one target. */
export type Row = {
  through: string
  'at once': number
  'calls/s': number
  'per core': number
  'per core, with database': number
  'CPU ms/call': number
  '+ database': number
  'in all': number
  'WAL B/call': number
  'rows/call': number
  'p50 ms': number
  'p99 ms': number
  failed: number
  /** CPU that all other processes on the machine used meanwhile, percent of all processors. */
  'others %': number
}

const BODY = JSON.stringify({
  model: 'scripted-paid',
  max_tokens: 1000,
  messages: [{ role: 'user', content: '源头在哪里？' }],
})

export const sendCalls = ({ url, headers }: BenchProcess, calls: number, atOnce: number) =>
  runInProcess<Load, LoadResult>('clients.ts', { url, headers, body: BODY, calls, at_once: atOnce })

/** Makes calls and measures their cost: the gateway's CPU and, for one that keeps books, its database's. */
export async function measureCalls(target: BenchProcess, calls: number, atOnce: number): Promise<Row> {
  const { name, pid, database_pid } = target
  const read = async () => ({
    figures: await target.readDatabase(),
    gateway: cpuSeconds(pid),
    database: database_pid ? treeCpuSeconds(database_pid) : 0,
    own: treeCpuSeconds(process.pid),
    machine: machineCpuSeconds(),
    at: performance.now(),
  })
  const before = await read()
  const result = await sendCalls(target, calls, atOnce)
  const [gateway, database, own] = [
    cpuSeconds(pid) - before.gateway,
    database_pid ? treeCpuSeconds(database_pid) - before.database : 0,
    treeCpuSeconds(process.pid) - before.own,
  ]
  const { busy, processors } = machineCpuSeconds()
  const others = busy - before.machine.busy - own - database
  const seconds = (performance.now() - before.at) / 1000
  const figures = await target.readDatabase()
  const round = (value: number, digits: number): number => Number(value.toFixed(digits))
  return {
    through: name,
    'at once': atOnce,
    'calls/s': Math.round(calls / result.seconds),
    'per core': Math.round(calls / gateway),
    'per core, with database': Math.round(calls / (gateway + database)),
    'CPU ms/call': round((gateway * 1000) / calls, 3),
    '+ database': round((database * 1000) / calls, 3),
    'in all': round(((gateway + database) * 1000) / calls, 3),
    'WAL B/call': Math.round((figures.wal_bytes - before.figures.wal_bytes) / calls),
    'rows/call': round((figures.row_writes - before.figures.row_writes) / calls, 2),
    'p50 ms': result.p50_ms,
    'p99 ms': result.p99_ms,
    failed: result.failed,
    'others %': round((others / seconds / processors) * 100, 0),
  }
}

/** The median of several rounds of the same calls, figure by figure. */
export function toMedian(rounds: Row[]): Row {
  const median = (values: number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
  const figures = Object.keys(rounds[0]!).map((name) => {
    const values = rounds.map((row) => row[name as keyof Row])
    return [name, typeof values[0] === 'number' ? median(values as number[]) : values[0]]
  })
  return Object.fromEntries(figures) as Row
}

/** Describes the machine's load, so that a reader can judge the figures. */
export const describeMachine = (): string =>
  `${machineCpuSeconds().processors} processors, load ${loadavg()
    .map((load) => load.toFixed(2))
    .join(' ')}`
