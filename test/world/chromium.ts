/** Arguments of every Chromium in the tests. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A microphone that beeps, and a person who allows it.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]
