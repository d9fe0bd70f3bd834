// Reading of documents: node bench/readers.ts score [data] [folder of another reader's .md files]
//                       node bench/readers.ts speed [pages]
//                       node bench/readers.ts fuzz [files] [first seed] [folders]
import { runFuzz } from './readers/fuzz.ts'
import { runScore } from './readers/score.ts'
import { runSpeed } from './readers/speed.ts'

const [command, ...rest] = process.argv.slice(2)
const DATA = '../shared/data'

if (command === 'score') await runScore(rest[0] ?? DATA, rest[1])
else if (command === 'speed') await runSpeed(Number(rest[0] ?? 400))
else if (command === 'fuzz') {
  const folders = rest.length > 2 ? rest.slice(2) : [DATA, 'test/formats/fixtures']
  await runFuzz(Number(rest[0] ?? 20_000), Number(rest[1] ?? 1), folders)
} else {
  console.error('score, speed or fuzz')
  process.exit(2)
}
