import { request } from '#web/core/api.ts'
import { voiceText } from '#web/text/voice.ts'

/** Sounds that the page caches, so that hearing a sentence again costs nothing; the oldest are dropped. */
const MAX_SOUNDS = 300

const sounds = new Map<string, Promise<string>>()

/** Returns the address of a sentence's sound. Throws ApiError; failures are not cached. */
export function getSentenceAudio(sentence: string): Promise<string> {
  const cachedSound = sounds.get(sentence)
  if (cachedSound) return cachedSound
  const sound = fetchAudio(sentence)
  sounds.set(sentence, sound)
  sound.catch(() => sounds.delete(sentence))
  const [oldest] = sounds.keys()
  if (sounds.size > MAX_SOUNDS && oldest !== undefined) {
    void sounds.get(oldest)?.then((url) => URL.revokeObjectURL(url))
    sounds.delete(oldest)
  }
  return sound
}

async function fetchAudio(text: string): Promise<string> {
  const { data } = await request('POST /api/block/tts', { body: { text } }, { failed: voiceText.failed })
  const [head = '', base64 = ''] = data.split(',', 2)
  const type = head.slice('data:'.length, head.indexOf(';'))
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  return URL.createObjectURL(new Blob([bytes], { type }))
}
