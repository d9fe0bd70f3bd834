import { solveChallenge } from './proofOfWork.ts'

export type Challenge = { challenge: string; difficulty: number }

addEventListener('message', ({ data: { challenge, difficulty } }: MessageEvent<Challenge>) => {
  solveChallenge(challenge, difficulty).then(
    (ticket) => postMessage(ticket),
    () => postMessage(null),
  )
})
