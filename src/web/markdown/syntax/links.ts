import { markdownText } from '#web/text/markdown.ts'

/** Longest address that is shown in full beside its link, characters. */
const SHOWN_CHARS = 120

const bareAddressStart = /^(?:https?:\/\/|ftp:\/\/|www\.)/i
const chineseChar = /[\u2018-\u201d\u3000-\u303f\u3400-\u9fff\uff00-\uffef]/

/** Returns the part of `src` where GFM may read a bare address, up to the first Chinese: `见https://a.cn。谢谢` leads to a.cn. */
export function cutBareAddress(src: string): string {
  const end = bareAddressStart.test(src) ? src.search(chineseChar) : -1
  return end < 0 ? src : src.slice(0, end)
}

/** Makes a sanitised link open safely outside of the site and show its target, prominently if its text says otherwise. */
export function secureLink(link: Element): void {
  const href = link.getAttribute('href')
  link.setAttribute('target', '_blank')
  link.setAttribute('rel', 'noopener noreferrer nofollow')
  if (!href || !URL.canParse(href)) return
  const url = new URL(href)
  const shownUrl = url.protocol === 'mailto:' ? url.pathname : url.href
  link.setAttribute(
    'data-tooltip',
    shownUrl.length > SHOWN_CHARS ? `${shownUrl.slice(0, SHOWN_CHARS)}…` : shownUrl,
  )
  const namedHost = parseHost(link.textContent.trim())
  if (namedHost && namedHost !== normalizeHost(url.hostname))
    link.append(markdownText.leadsTo(url.host || shownUrl))
}

const normalizeHost = (host: string): string => host.toLowerCase().replace(/^www\./, '')

/** Returns the host in a text that looks like an address, else null. */
function parseHost(text: string): string | null {
  const address = /^(?:https?:\/\/)?([a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,})(?::\d+)?(?:[/?#]\S*)?$/i.exec(text)
  return address?.[1] ? normalizeHost(address[1]) : null
}
