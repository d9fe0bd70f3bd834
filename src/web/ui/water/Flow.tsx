import { clsx } from 'clsx'
import './flow.css'

/** Water flowing from its source, for work in progress. Decorative: text stands beside it. */
export const Flow = ({ className }: { className?: string }) => (
  <svg aria-hidden viewBox="0 0 34 16" width="34" height="16" className={clsx('flow shrink-0', className)}>
    <path d="M33 7C22 6.5 16 2 1 2" />
    <path d="M33 7.7C22 7.6 16 6 1 6" />
    <path d="M33 8.3C22 8.4 16 10 1 10" />
    <path d="M33 9C22 9.5 16 14 1 14" />
  </svg>
)

/** Lines of water that widen from their source, between an answer and its sources. Decorative. */
export const SourceLines = ({ className }: { className?: string }) => (
  <svg
    aria-hidden
    viewBox="0 0 600 10"
    preserveAspectRatio="none"
    fill="none"
    className={clsx('source-lines pointer-events-none block h-2.5 w-full', className)}
  >
    <path d="M0 4.6C60 4.6 140 1 600 1" />
    <path d="M0 5H600" />
    <path d="M0 5.4C60 5.4 140 9 600 9" />
  </svg>
)

/** The same water as a bar, for a wait of unknown length. */
export const FlowBar = () => (
  <svg aria-hidden viewBox="0 0 600 4" preserveAspectRatio="none" fill="none" className="flow-bar size-full">
    <path d="M0 1.2C100 .4 200 .4 300 1.2S500 2 600 1.2" />
    <path d="M0 2.8C100 3.6 200 3.6 300 2.8S500 2 600 2.8" />
  </svg>
)
