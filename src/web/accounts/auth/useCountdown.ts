import { useEffect, useState } from 'react'

/** Whole seconds left of the time that `start(seconds)` sets; correct again after the tab slept. */
export function useCountdown(): { secondsLeft: number; start: (seconds: number) => void } {
  const [until, setUntil] = useState(0)
  const [secondsLeft, setSecondsLeft] = useState(0)
  useEffect(() => {
    if (!until) return
    const tick = () => setSecondsLeft(Math.max(0, Math.ceil((until - Date.now()) / 1_000)))
    const timer = setInterval(tick, 250)
    tick()
    return () => clearInterval(timer)
  }, [until])
  return { secondsLeft, start: (seconds) => setUntil(Date.now() + seconds * 1_000) }
}
