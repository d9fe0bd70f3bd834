/**
 * Makes the children of one node like those of another, touching only what differs: while an answer grows, what stands
 * is neither parsed nor laid out again, and a selection in it stays. Nodes are taken over from `from`.
 */
export function syncNodes(target: Node, source: Node): void {
  const sourceNodes = [...source.childNodes]
  for (const [i, next] of sourceNodes.entries()) {
    const targetNode = target.childNodes[i]
    if (!targetNode) target.appendChild(next)
    else if (targetNode.isEqualNode(next)) continue
    else if (targetNode instanceof Text && next instanceof Text) targetNode.data = next.data
    else if (targetNode.cloneNode().isEqualNode(next.cloneNode())) syncNodes(targetNode, next)
    else target.replaceChild(next, targetNode)
  }
  while (target.childNodes.length > sourceNodes.length) target.lastChild?.remove()
}
