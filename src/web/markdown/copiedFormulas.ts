let isWatching = false

/** Makes every copy of a selection hold the TeX of its formulas: a browser would copy the letters of the drawing. */
export function watchCopies(): void {
  if (isWatching) return
  isWatching = true
  document.addEventListener('copy', copyFormulas)
}

function copyFormulas(event: ClipboardEvent): void {
  const selection = getSelection()
  if (event.defaultPrevented || !event.clipboardData || !selection || selection.isCollapsed) return
  const copied = document.createElement('div')
  for (let i = 0; i < selection.rangeCount; i++)
    copied.append(includeWholeFormulas(selection.getRangeAt(i)).cloneContents())
  const formulas = copied.querySelectorAll<HTMLElement>('.md-tex')
  if (!formulas.length) return
  for (const formula of formulas) formula.textContent = getTex(formula)
  // `innerText` breaks lines where the page does, but only for an element inside the page.
  copied.className = 'md md-copied'
  document.body.append(copied)
  event.clipboardData.setData('text/plain', copied.innerText.trim())
  event.clipboardData.setData('text/html', copied.innerHTML)
  copied.remove()
  event.preventDefault()
}

/** Returns the range extended so that no formula at its ends is cut. */
function includeWholeFormulas(range: Range): Range {
  const whole = range.cloneRange()
  const [first, last] = [range.startContainer, range.endContainer].map((node) =>
    (node instanceof Element ? node : node.parentElement)?.closest('.md-tex'),
  )
  if (first) whole.setStartBefore(first)
  if (last) whole.setEndAfter(last)
  return whole
}

/** Returns a formula's TeX inside its Markdown delimiters. */
function getTex(formula: HTMLElement): string {
  const tex = formula.querySelector('annotation')?.textContent ?? formula.textContent
  return formula.classList.contains('md-tex-display') ? `$$${tex}$$` : `$${tex}$`
}
