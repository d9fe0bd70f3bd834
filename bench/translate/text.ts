import { EventSourceParserStream } from 'eventsource-parser/stream'
import { scriptedModels, startWorld } from '#test/world/world.ts'

const MODEL = 'long'

/** Measures a text of this many words: from the platform's first token to the first words that a page receives. */
export async function measureText(words: number, rounds: number): Promise<void> {
  const world = await startWorld({
    models({ url }) {
      const { platforms, models } = scriptedModels(url)
      const offers = [{ platform: 'scripted', model: MODEL, input: 0, output: 0 }]
      const long = {
        ...models[0],
        id: MODEL,
        name: MODEL,
        context_window: 200_000,
        max_tokens: 60_000,
        offers,
      }
      return JSON.stringify({ platforms, models: [...models, long] })
    },
  })
  try {
    const client = await world.user()
    let askedAt = 0
    // 400 characters every 20 ms: a quick platform.
    const reply = (): string => {
      askedAt = performance.now()
      return '河流很长，湖面很静。'.repeat(2_000)
    }
    world.upstream.script(MODEL, { reply, chars: 400, every_ms: 20 })
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const prompt = Array.from({ length: words }, (_, n) => (n % 20 ? 'river' : `\nThe${round}`)).join(' ')
      const body = { prompt, model: MODEL, target_lang: 'zh-CN' as const }
      const { chat_id } = await client.call('POST /api/translate', { body })
      const query = new URLSearchParams({ chatbot: 'fanyi', chat_id, model: MODEL, target_lang: 'zh-CN' })
      const response = await client.fetch(`/api/chat/completions?${query.toString()}`)
      let firstAt = 0
      const events = response
        .body!.pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream())
      for await (const { data } of events)
        if (!firstAt && data.includes('delta_content')) firstAt = performance.now()
      times.push(firstAt - askedAt)
    }
    times.sort((a, b) => a - b)
    console.table({
      'words, rounds': `${words}, ${rounds}`,
      'from the first token of the platform to the first words, ms (bar: under 300)': `${times[rounds >> 1]!.toFixed(0)} in the middle, ${times.at(-1)!.toFixed(0)} at most`,
    })
  } finally {
    await world.close()
  }
}
