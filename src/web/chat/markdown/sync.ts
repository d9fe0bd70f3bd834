/**
 * Makes the children of one node like those of another, touching only what differs: while an answer grows, what stands
 * is neither parsed nor laid out again, and a selection in it stays. Nodes are taken over from `from`.
 */
export function sync(into: Node, from: Node): void {
  const fresh = [...from.childNodes]
  for (const [i, next] of fresh.entries()) {
    const now = into.childNodes[i]
    if (!now) into.appendChild(next)
    else if (now.isEqualNode(next)) continue
    else if (now instanceof Text && next instanceof Text) now.data = next.data
    else if (now.cloneNode().isEqualNode(next.cloneNode())) sync(now, next)
    else into.replaceChild(next, now)
  }
  while (into.childNodes.length > fresh.length) into.lastChild?.remove()
}
