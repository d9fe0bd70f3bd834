// Retrieval, through the door of src/server/knowledge: node bench/retrieval.ts [quality] [ablation] [speed] [data]; on PostgreSQL with
// DATABASE_URL.
import { measureAblation } from './retrieval/ablation.ts'
import { measureDocuments, measureXquad } from './retrieval/quality.ts'
import { measureSpeed } from './retrieval/speed.ts'

const PARTS = ['quality', 'ablation', 'speed']
const args = process.argv.slice(2)
const data = args.find((arg) => !PARTS.includes(arg)) ?? '../shared/data'
const wanted = PARTS.filter((part) => args.includes(part) || !args.some((arg) => PARTS.includes(arg)))

if (wanted.includes('quality')) {
  console.table([
    await measureXquad(data, 'zh', 'zh', false),
    await measureXquad(data, 'en', 'en', false),
    await measureXquad(data, 'zh', 'zh', true),
    await measureXquad(data, 'zh', 'en', true),
    await measureDocuments(data),
  ])
}
if (wanted.includes('ablation')) console.table(await measureAblation(data))
if (wanted.includes('speed')) {
  for (const chunks of [1_000, 5_000, 50_000]) console.table([await measureSpeed(data, chunks)])
}
