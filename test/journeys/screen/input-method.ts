import type { Locator, Page } from '@playwright/test'

/**
 * Enters text through an input method in the focused field and ends it by Enter, as Chrome sends it: the key comes while the
 * composition is on.
 */
export async function composeInChrome(page: Page, text: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Input.imeSetComposition', { text: 'pinyin', selectionStart: 6, selectionEnd: 6 })
  await session.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 229,
  })
  await session.send('Input.insertText', { text })
  await session.detach()
}

/** Does the same as Safari sends it: the composition ends first, then the key comes, with code 229 and without isComposing. */
export async function composeInSafari(page: Page, field: Locator, text: string): Promise<void> {
  await page.keyboard.insertText(text)
  await field.evaluate((element, data) => {
    element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data }))
    const init = { key: 'Enter', code: 'Enter', keyCode: 229, which: 229, bubbles: true, cancelable: true }
    element.dispatchEvent(new KeyboardEvent('keydown', init))
  }, text)
}
