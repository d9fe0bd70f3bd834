import { createSHA256 } from 'hash-wasm'

/** Finds a text that begins with the challenge and whose SHA-256 begins with `difficulty` zero bits (`GET /auth/challenge`). */
export async function solveChallenge(challenge: string, difficulty: number): Promise<string> {
  const sha256 = await createSHA256()
  for (let number = 0; ; number++) {
    const text = `${challenge}.${number}`
    const [first = 0, second = 0, third = 0, fourth = 0] = sha256.init().update(text).digest('binary')
    if (Math.clz32((first << 24) | (second << 16) | (third << 8) | fourth) >= difficulty) return text
  }
}
