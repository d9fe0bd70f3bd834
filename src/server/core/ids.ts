import { getRandomValues } from 'node:crypto'
import { V7Generator } from 'uuidv7'

/** Random numbers are drawn many at a time: each draw is a call to the system's generator. */
const randomWords = new Uint32Array(1024)
let nextWord = randomWords.length

function nextUint32(): number {
  if (nextWord === randomWords.length) {
    getRandomValues(randomWords)
    nextWord = 0
  }
  return randomWords[nextWord++]!
}

const generator = new V7Generator({ nextUint32 })

/** Makes an id: UUIDv7, so that rows sort by their time of creation (RFC 9562 section 5.7). */
export const createId = (): string => generator.generate().toString()

/** Returns when an id was created, whole seconds since 1970: its first 48 bits are milliseconds. */
export const getIdSeconds = (id: string): number =>
  Math.floor(parseInt(id.replaceAll('-', '').slice(0, 12), 16) / 1000)
