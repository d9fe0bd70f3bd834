import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '#test/world/client.ts'
import type { Client } from '#test/world/client.ts'
import { signIn } from '#test/world/sign-in.ts'
import { createTally } from './tally.ts'
import type { StreamLoad } from './streams.ts'

// Asks in the chat, each question in a session of its own, and reads the answers as a page does; chunks as in stream-clients.ts.

/** Questions of one person at once; above 60 a minute the server refuses. */
const PER_PERSON = 50
/** Time from one question to the next, ms: a thousand at once would wait for the database beyond its time limit. */
const EVERY_MS = 60

const [{ url, data_dir, streams, chunks }] = (await once(process, 'message')) as [StreamLoad]
const tally = createTally(chunks)

async function readAnswer(client: Client): Promise<void> {
  const { session } = await client.call('POST /api/chat/session/new', { body: {} })
  const { chat_message } = await client.call('POST /api/chat/create', {
    body: { sess_id: session.id, model: 'scripted-paid', prompt: `chunks ${chunks}` },
  })
  const stream = tally.open()
  for await (const { data } of client.events(chat_message.chat_id)) {
    if (data === '[DONE]') stream.end()
    else stream.read((JSON.parse(data) as { delta_content?: string }).delta_content ?? '')
  }
  stream.close()
}

const people: Client[] = []
for (let nth = 0; nth * PER_PERSON < streams; nth++) {
  const client = createClient(() => url)
  await signIn(client, `reader-${nth}@example.com`, data_dir!)
  people.push(client)
}
await Promise.all(
  Array.from({ length: streams }, async (_, nth) => {
    await sleep(nth * EVERY_MS)
    await readAnswer(people[Math.floor(nth / PER_PERSON)]!)
  }),
)
process.send?.(tally.result())
