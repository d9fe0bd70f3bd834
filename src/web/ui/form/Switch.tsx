type Props = { label: string; hint?: string; checked: boolean; onChange: (checked: boolean) => void }

/** A switch with immediate effect, and a hint below its name. */
export function Switch({ label, hint, checked, onChange }: Props) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-4 py-2">
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{label}</span>
        {hint && <span className="block text-note text-ink3">{hint}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="relative h-5.5 w-9.5 shrink-0 cursor-pointer appearance-none rounded-full bg-ink3/45 transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-4.5 before:rounded-full before:bg-panel before:shadow-soft before:transition-transform checked:bg-accent checked:before:translate-x-4"
      />
    </label>
  )
}
