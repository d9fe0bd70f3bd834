/** A link to a page as other programs show it: plain text, no longer than they show. */
export type LinkPreview = { title: string; description: string }

const SITE_NAME = '问渠'
export const SITE_PREVIEW: LinkPreview = {
  title: SITE_NAME,
  description: '问渠：可以追溯出处的 AI 助手，通往各家模型的渠道',
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)

/** Returns the first `max` characters of a text, in one line. */
export function shorten(text: string, max: number): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim())
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}

/** Removes the marks of markdown from a text. */
export const stripMarkdown = (text: string): string =>
  text.replace(/^\s*(?:```\w*|[-+*>]\s|#+\s)/gm, ' ').replace(/\*\*|`/g, '')

/**
 * Renders title, description and picture of a page, for its tab and for programs that show links (the Open Graph protocol). `url`
 * is the page's path; its query is left out.
 */
export function renderLinkPreview({ title, description }: LinkPreview, url: string, appUrl: string): string {
  const address = new URL(new URL(url, appUrl).pathname, appUrl).href
  const tags: [attribute: 'name' | 'property', name: string, content: string][] = [
    ['name', 'description', description],
    ['property', 'og:type', 'website'],
    ['property', 'og:site_name', SITE_NAME],
    ['property', 'og:locale', 'zh_CN'],
    ['property', 'og:title', title],
    ['property', 'og:description', description],
    ['property', 'og:url', address],
    ['property', 'og:image', new URL('/og.png', appUrl).href],
    ['property', 'og:image:width', '1200'],
    ['property', 'og:image:height', '630'],
    ['name', 'twitter:card', 'summary_large_image'],
  ]
  const head = title === SITE_NAME ? SITE_NAME : `${title} · ${SITE_NAME}`
  return [
    `<title>${escapeHtml(head)}</title>`,
    ...tags.map(
      ([attribute, name, content]) => `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`,
    ),
  ].join('\n')
}
