import { readFileSync } from 'node:fs'
import { calls } from '#contract/calls.ts'

// Lists the calls of the specification that the contract lacks: `node scripts/missing-calls.ts [calls.json]`.

type Row = { method: string; base: 'api' | 'host'; path: string }

const file = process.argv[2] ?? new URL('../../shared/spec/calls.json', import.meta.url)
const wanted = (JSON.parse(readFileSync(file, 'utf8')) as { calls: Row[] }).calls.map(
  ({ method, base, path }) => `${method} ${base === 'api' ? '/api' : ''}${path}`,
)
/** A path parameter's name is free. */
const nameless = (key: string): string => key.replace(/\{\w+\}/g, '{}')

const present = new Set(Object.values(calls).flatMap((ofFeature) => Object.keys(ofFeature).map(nameless)))
const missing = wanted.filter((key) => !present.has(nameless(key)))
for (const key of missing) console.log(key)
console.log(`${missing.length} of ${wanted.length} calls missing`)
