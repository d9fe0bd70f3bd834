import { encode } from 'uqr'

/** Width of the quiet zone around the code, which readers need, in modules (ISO/IEC 18004 section 9.1). */
const QUIET = 4

/** A text as a QR code: dark on white in every theme, since phones read nothing else. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-xl border bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
