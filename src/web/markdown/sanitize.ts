import DOMPurify, { type Config } from 'dompurify'
import { chatText } from '#web/text/chat.ts'
import { secureLink } from './syntax/links.ts'

const allowedTags =
  'a b blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre s small span ' +
  'strong sub sup table tbody td th thead tr u ul'
const plainAttributes =
  'align alt aria-pressed checked class colspan data-alt data-cite data-display data-lang data-note data-tex disabled ' +
  'rowspan start tabindex title type'
const addressAttributes = 'href src data-src'

const config = {
  ALLOWED_TAGS: allowedTags.split(' '),
  ALLOWED_ATTR: `${plainAttributes} ${addressAttributes}`.split(' '),
  // What is no address must not be held against the rule for addresses.
  ADD_URI_SAFE_ATTR: plainAttributes.split(' '),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // No relative addresses either: an answer must not be able to point at this site's own calls.
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config

const purify = DOMPurify()
// Read once: a configuration given with a call is parsed anew at every call.
purify.setConfig(config)

purify.addHook('uponSanitizeAttribute', (_, attribute) => {
  // Only the classes that our own renderer writes, so that an answer cannot dress itself as part of the page.
  if (attribute.attrName === 'class' && !/^md-[a-z-]+$/.test(attribute.attrValue)) attribute.keepAttr = false
  if (attribute.attrName === 'tabindex' && attribute.attrValue !== '0') attribute.keepAttr = false
})

purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') secureLink(node)
  // Only what the answer carries itself is shown; whatever has to be fetched waits for a click.
  if (node.tagName === 'IMG' && !node.getAttribute('src')?.startsWith('data:image/')) node.remove()
  if (node.tagName === 'INPUT') {
    const task = node.getAttribute('type') === 'checkbox' && node.hasAttribute('disabled')
    if (!task) node.remove()
    node.setAttribute('aria-label', node.hasAttribute('checked') ? chatText.taskDone : chatText.taskOpen)
  }
  if (node.tagName === 'BUTTON') labelImageButton(node)
})

/** A button that loads an image says which and from where, whoever wrote it. */
function labelImageButton(button: Element): void {
  button.setAttribute('type', 'button')
  const src = button.getAttribute('data-src')
  if (src === null) return
  const host = URL.canParse(src) ? new URL(src).host : ''
  button.textContent = chatText.loadImage(button.getAttribute('data-alt') ?? '', host)
}

/** HTML of an answer, without anything that runs, loads, sends or looks like the page around it, as nodes. */
export const sanitize = (html: string): DocumentFragment => purify.sanitize(html, config)
