import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import { scriptFor } from './upstream/answers.ts'

// Starts an OpenAI-compatible server with real-looking answers: node bench/upstream.ts --port 4480
// Then: MODELS_FILE=bench/models.upstream.json npm start
const { values } = parseArgs({ options: { port: { type: 'string', default: '4480' } } })
const upstream = await startUpstream({ port: Number(values.port), answer: scriptFor })
console.log(`listening on ${upstream.url}`)
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
await upstream.close()
