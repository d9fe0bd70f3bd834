import { clsx } from 'clsx'
import './flow.css'

/** Water on its way from the source: something is being done. Says nothing; the words stand beside it. */
export const Flow = ({ className }: { className?: string }) => (
  <svg aria-hidden viewBox="0 0 34 16" width="34" height="16" className={clsx('flow shrink-0', className)}>
    <path d="M33 7C22 6.5 16 2 1 2" />
    <path d="M33 7.7C22 7.6 16 6 1 6" />
    <path d="M33 8.3C22 8.4 16 10 1 10" />
    <path d="M33 9C22 9.5 16 14 1 14" />
  </svg>
)
