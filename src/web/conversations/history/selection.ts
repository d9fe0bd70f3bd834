/** The selected sessions, and the one clicked last, from which Shift selects a range. */
export type Selection = { ids: ReadonlySet<string>; anchor: string }

/** The selection after a click; with Shift, all sessions from the last clicked one to this one get this one's new state. */
export function toggleSelection(
  { ids, anchor }: Selection,
  id: string,
  order: readonly string[],
  withShift: boolean,
): Selection {
  const shouldSelect = !ids.has(id)
  const [a, b] = [order.indexOf(anchor), order.indexOf(id)]
  const changedIds = withShift && a >= 0 && b >= 0 ? order.slice(Math.min(a, b), Math.max(a, b) + 1) : [id]
  const next = new Set(ids)
  for (const one of changedIds) {
    if (shouldSelect) next.add(one)
    else next.delete(one)
  }
  return { ids: next, anchor: id }
}
