// Measures retrieval through the API for programs: node bench/retrieval.ts [quality] [ablation] [speed] [vectors] [chunks]
// [data]; on PostgreSQL with DATABASE_URL.
import { measureAblation, measureRelevance } from './retrieval/ablation.ts'
import { measureQuality } from './retrieval/quality.ts'
import { measureSpeed } from './retrieval/speed.ts'
import { measureVectors } from './retrieval/vectors.ts'

const PARTS = ['quality', 'ablation', 'speed', 'vectors']
const args = process.argv.slice(2)
const isCount = (arg: string): boolean => /^\d+$/.test(arg)
const data = args.find((arg) => !PARTS.includes(arg) && !isCount(arg)) ?? '../shared/data'
const counts = args.filter(isCount).map(Number)
const wanted = PARTS.filter((part) => args.includes(part) || !args.some((arg) => PARTS.includes(arg)))

if (wanted.includes('quality')) console.table(await measureQuality(data))
if (wanted.includes('ablation')) {
  console.table(await measureAblation(data))
  console.table(await measureRelevance(data))
}
if (wanted.includes('speed')) {
  const rows = []
  for (const chunks of counts.length ? counts : [1_000, 5_000, 50_000])
    rows.push(await measureSpeed(data, chunks))
  console.table(rows)
}
if (wanted.includes('vectors'))
  console.table((counts.length ? counts : [5_000, 50_000]).map((chunks) => measureVectors(data, chunks)))
