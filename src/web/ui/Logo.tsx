/** The brand: water that is gathered at its source and widens into a channel. The same drawing as public/favicon.svg. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="var(--panel)" strokeWidth="2" strokeLinecap="round">
        <path d="M26.5 9.2C19 8.6 15.5 11 5.5 10.4" />
        <path d="M26.5 9.9C19.5 10 15.5 15.6 5.5 15" />
        <path d="M26.5 10.6C20.5 11.4 16 20.4 5.5 19.8" />
        <path d="M26.5 11.3C21.5 12.8 17 25.2 5.5 24.6" />
      </g>
    </svg>
  )
}
