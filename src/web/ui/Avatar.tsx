/** A person's picture, or the first character of the name. Decoration: the name stands beside it. */
export function Avatar({ name, src }: { name: string; src: string }) {
  if (src) return <img src={src} alt="" width={32} height={32} className="size-8 shrink-0 rounded-full" />
  return (
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-medium text-accent"
    >
      {Array.from(name)[0]?.toUpperCase()}
    </span>
  )
}
