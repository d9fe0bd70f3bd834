import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { StartedProcess } from '../world/use-world.ts'

const body = {
  model: 'scripted-paid',
  stream: true,
  max_tokens: 500,
  messages: [{ role: 'user', content: '慢慢说' }],
}

type ReadStream = { text: string; last: string }

/** Opens streams of the gateway, and waits until each has its first text. `received` has all of them when they have ended. */
export async function createStreams(app: StartedProcess, count: number) {
  // Keys of two accounts: one may not have all the calls of a process.
  const authorizations = await Promise.all(
    ['streams@example.com', 'more@example.com'].map(async (email) => {
      const client = await app.user(email)
      return `Bearer ${(await client.call('POST /api/api_keys', { body: { name: '长流' } })).raw_value}`
    }),
  )
  let speaking = 0
  const spoken = Promise.withResolvers<void>()
  const onText = (): void => {
    speaking += 1
    if (speaking === count) spoken.resolve()
  }
  const received = Promise.all(
    Array.from({ length: count }, (_, nth) => readStream(app.url, authorizations[nth % 2]!, onText)),
  )
  // A failing stream ends this wait, too, and its error shows.
  await Promise.race([spoken.promise, received])
  return { received }
}

/** Reads one stream to its end; calls `onText` with its first text. */
async function readStream(appUrl: string, authorization: string, onText: () => void): Promise<ReadStream> {
  const headers = { authorization, 'content-type': 'application/json' }
  const url = `${appUrl}/api/v1/chat/completions`
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const received: ReadStream = { text: '', last: '' }
  const events = response
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) {
    received.last = data
    const text = (JSON.parse(data) as { choices?: { delta: { content?: string } }[] }).choices?.[0]?.delta
      .content
    if (text && !received.text) onText()
    received.text += text ?? ''
  }
  return received
}
