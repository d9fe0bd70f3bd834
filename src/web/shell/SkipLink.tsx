import { shellText } from '#web/text/shell.ts'

/** First in the focus order, and visible only when focused: skips the navigation. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-btn px-4 py-2 text-btn-ink transition-transform focus:translate-y-0 print:hidden"
    >
      {shellText.skip}
    </a>
  )
}
