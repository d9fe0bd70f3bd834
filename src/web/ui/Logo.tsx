import { logoLines } from './water/logoLines.ts'

/** The brand's mark, the same drawing as public/favicon.svg. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="var(--panel)" strokeWidth="2" strokeLinecap="round">
        {logoLines.map((d) => (
          <path key={d} d={d} />
        ))}
      </g>
    </svg>
  )
}
