/** The brand: water on its way through a channel. The same drawing as public/favicon.svg. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="9" fill="var(--brand)" />
      <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
        <path d="M7.5 11.8c2.8-2.9 5.7-2.9 8.5 0s5.7 2.9 8.5 0" />
        <path d="M7.5 17.6c2.8-2.9 5.7-2.9 8.5 0s5.7 2.9 8.5 0" opacity=".75" />
        <path d="M7.5 23.4c2.8-2.9 5.7-2.9 8.5 0s5.7 2.9 8.5 0" opacity=".5" />
      </g>
    </svg>
  )
}
