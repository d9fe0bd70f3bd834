/** Sessions that are chosen, and the one that was clicked last: Shift chooses from there. */
export type Selection = { ids: ReadonlySet<string>; anchor: string }

/** The selection after a click; with Shift, all between the last click and this one become what this one becomes. */
export function toggleSelection(
  { ids, anchor }: Selection,
  id: string,
  order: readonly string[],
  withShift: boolean,
): Selection {
  const chosen = !ids.has(id)
  const [a, b] = [order.indexOf(anchor), order.indexOf(id)]
  const changed = withShift && a >= 0 && b >= 0 ? order.slice(Math.min(a, b), Math.max(a, b) + 1) : [id]
  const next = new Set(ids)
  for (const one of changed) {
    if (chosen) next.add(one)
    else next.delete(one)
  }
  return { ids: next, anchor: id }
}
