import DOMPurify, { type Config } from 'dompurify'
import { markdownText } from '#web/text/markdown.ts'
import { secureLink } from './syntax/links.ts'

const allowedTags =
  'a b blockquote br button caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ' +
  'ol p pre s small span strong sub summary sup table tbody td tfoot th thead tr u ul'
const plainAttributes =
  'align alt aria-pressed checked class colspan data-alert data-cite data-display data-lang data-note data-tex disabled ' +
  'open rowspan start tabindex title type'
const addressAttributes = 'href src'

const config = {
  ALLOWED_TAGS: allowedTags.split(' '),
  ALLOWED_ATTR: `${plainAttributes} ${addressAttributes}`.split(' '),
  // The URI rule below must not be applied to attributes that hold no address.
  ADD_URI_SAFE_ATTR: plainAttributes.split(' '),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // No relative addresses either: an answer must not be able to point at this site's own calls.
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config

const purify = DOMPurify()
// Set once: a configuration passed with a call is parsed again at every call.
purify.setConfig(config)

purify.addHook('uponSanitizeAttribute', (_, attribute) => {
  // Allows only classes of our own renderer, so that an answer cannot pose as part of the page.
  if (attribute.attrName === 'class' && !/^md-[a-z-]+$/.test(attribute.attrValue)) attribute.keepAttr = false
  if (attribute.attrName === 'tabindex' && attribute.attrValue !== '0') attribute.keepAttr = false
})

purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    if (node.className === 'md-image') labelImageLink(node)
    secureLink(node)
  }
  // Only images inside the answer itself are shown; a remote one is a link.
  if (node.tagName === 'IMG' && !node.getAttribute('src')?.startsWith('data:image/')) node.remove()
  if (node.tagName === 'INPUT') {
    const task = node.getAttribute('type') === 'checkbox' && node.hasAttribute('disabled')
    if (!task) return node.remove()
    const around = node.parentElement?.tagName === 'P' ? node.parentElement.parentElement : node.parentElement
    if (around?.tagName === 'LI') around.classList.add('md-task')
    node.setAttribute(
      'aria-label',
      node.hasAttribute('checked') ? markdownText.taskDone : markdownText.taskOpen,
    )
  }
  if (node.tagName === 'BUTTON') node.setAttribute('type', 'button')
})

/** Makes the text of a link to an image name the image and its host, whoever wrote the link. */
function labelImageLink(link: Element): void {
  const href = link.getAttribute('href') ?? ''
  if (URL.canParse(href)) link.textContent = markdownText.openImage(link.textContent, new URL(href).host)
}

/** Returns an answer's HTML as nodes, without anything that runs, loads, sends or imitates the page around it. */
export const sanitize = (html: string): DocumentFragment => purify.sanitize(html, config)
