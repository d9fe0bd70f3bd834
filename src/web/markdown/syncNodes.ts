/**
 * Makes the children of one node like those of another, touching only differences: while an answer grows, existing nodes are
 * neither parsed nor laid out again, and keep a selection. Nodes are moved out of `source`. A pair that `take` accepts is left to
 * it.
 */
export function syncNodes(target: Node, source: Node, take: (target: Node, next: Node) => boolean): void {
  const sourceNodes = [...source.childNodes]
  for (const [i, next] of sourceNodes.entries()) {
    const targetNode = target.childNodes[i]
    if (!targetNode) target.appendChild(next)
    else if (take(targetNode, next) || targetNode.isEqualNode(next)) continue
    else if (targetNode instanceof Text && next instanceof Text) targetNode.data = next.data
    else if (isSameElement(targetNode, next)) syncNodes(targetNode, next, take)
    else target.replaceChild(next, targetNode)
  }
  while (target.childNodes.length > sourceNodes.length) target.lastChild?.remove()
}

function isSameElement(target: Node, next: Node): boolean {
  if (target instanceof HTMLDetailsElement && next instanceof HTMLDetailsElement) {
    // A reader may have opened it.
    target.open ||= next.open
    return true
  }
  return target.cloneNode().isEqualNode(next.cloneNode())
}
