import type { Page } from '@playwright/test'
import { quantile } from './browser.ts'

const createFrameCounter = (seconds: number) => `new Promise((resolve) => {
  let count = 0
  const start = performance.now()
  const tick = (now) => (now - start < ${seconds * 1000} ? (count++, requestAnimationFrame(tick)) : resolve(count / (now - start) * 1000))
  requestAnimationFrame(tick)
})`
const watchEvents = `(() => {
  window.interactions = new Map()
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId) window.interactions.set(interactionId, Math.max(duration, window.interactions.get(interactionId) ?? 0))
    }
  }).observe({ type: 'event', durationThreshold: 16 })
})()`

/** Measures frames a second, and INP p75 in ms of a key every 120 ms, while the page does its work. */
export async function measureSmoothness(
  page: Page,
  seconds: number,
): Promise<{ fps: number; inp: number; keys: number }> {
  await page.evaluate(watchEvents)
  const fps = page.evaluate<number>(createFrameCounter(seconds))
  let keys = 0
  for (const end = Date.now() + seconds * 1000 - 500; Date.now() < end; keys++) {
    await page.keyboard.press('a')
    await page.waitForTimeout(120)
  }
  const measured = await fps
  const slow = await page.evaluate<number[]>('[...window.interactions.values()]')
  // Interactions under 16 ms are not reported one by one.
  const durations = [...slow, ...Array.from({ length: Math.max(0, keys - slow.length) }, () => 15)]
  return { fps: measured, inp: quantile(durations, 0.75), keys }
}
