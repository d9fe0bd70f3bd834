import { Tokenizer, type Tokens } from 'marked'
import { readingText } from '../../text/reading.ts'

/** Longest address shown in full where a link tells where it leads. */
const SHOWN_CHARS = 120

const bare = /^(?:https?:\/\/|ftp:\/\/|www\.)/i
const chinese = /[\u2018-\u201d\u3000-\u303f\u3400-\u9fff\uff00-\uffef]/

/** GFM's bare addresses, which end where Chinese begins: `见https://a.cn。谢谢` leads to a.cn. */
export function bareAddress(this: Tokenizer, src: string): Tokens.Link | false | undefined {
  if (!bare.test(src)) return false
  const end = src.search(chinese)
  return end < 0 ? false : (Tokenizer.prototype.url.call(this, src.slice(0, end)) as Tokens.Link | undefined)
}

/** Makes a sanitised link leave the site safely and say where it leads, loudly where its text says otherwise. */
export function dressLink(link: Element): void {
  const href = link.getAttribute('href')
  link.setAttribute('target', '_blank')
  link.setAttribute('rel', 'noopener noreferrer nofollow')
  if (!href || !URL.canParse(href)) return
  const url = new URL(href)
  const shown = url.protocol === 'mailto:' ? url.pathname : url.href
  link.setAttribute('data-tooltip', shown.length > SHOWN_CHARS ? `${shown.slice(0, SHOWN_CHARS)}…` : shown)
  const said = hostIn(link.textContent.trim())
  if (said && said !== bareHost(url.hostname)) link.append(readingText.leadsTo(url.host || shown))
}

const bareHost = (host: string): string => host.toLowerCase().replace(/^www\./, '')

/** The host that a text names when it looks like an address, else null. */
function hostIn(text: string): string | null {
  const address = /^(?:https?:\/\/)?([a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,})(?::\d+)?(?:[/?#]\S*)?$/i.exec(text)
  return address?.[1] ? bareHost(address[1]) : null
}
