/** How a provider reads addresses of one mailbox: its host names, what begins a tag, and what it leaves out of a name. */
type MailProvider = { hosts: string[]; tag: string; ignored?: RegExp }

/**
 * Providers of many people, with what they say of their addresses; others are taken as they are written.
 * - Gmail: https://support.google.com/mail/answer/7436150 (dots), https://support.google.com/a/users/answer/9282734 (plus)
 * - Outlook: https://learn.microsoft.com/exchange/recipients-in-exchange-online/plus-addressing-in-exchange-online
 * - iCloud: https://support.apple.com/guide/icloud/mm6b1a490a (one account's @icloud.com, @me.com, @mac.com)
 * - Yahoo: https://help.yahoo.com/kb/SLN28815.html (a nickname, a hyphen and a keyword)
 * - Proton: https://proton.me/support/addresses-and-aliases (dots, hyphens and underscores; @proton.me, @protonmail.com, @pm.me)
 * - Fastmail: https://www.fastmail.help/hc/en-us/articles/360060591053
 * - Zoho: https://www.zoho.com/mail/help/plus-addressing.html
 * - Yandex: https://yandex.com/support/mail/web/preferences/aliases.html (hosts, dots for hyphens)
 */
const PROVIDERS: MailProvider[] = [
  { hosts: ['gmail.com', 'googlemail.com'], tag: '+', ignored: /\./g },
  { hosts: ['outlook.com'], tag: '+' },
  { hosts: ['hotmail.com'], tag: '+' },
  { hosts: ['live.com'], tag: '+' },
  { hosts: ['icloud.com', 'me.com', 'mac.com'], tag: '+' },
  { hosts: ['yahoo.com'], tag: '-' },
  { hosts: ['proton.me', 'protonmail.com', 'pm.me', 'protonmail.ch'], tag: '+', ignored: /[._-]/g },
  { hosts: ['fastmail.com'], tag: '+' },
  { hosts: ['fastmail.fm'], tag: '+' },
  { hosts: ['zoho.com', 'zohomail.com'], tag: '+' },
  {
    hosts: ['yandex.com', 'yandex.ru', 'yandex.by', 'yandex.kz', 'yandex.ua', 'ya.ru'],
    tag: '+',
    ignored: /[.-]/g,
  },
]

/** The mailbox that an address belongs to, as one address of it: for what each mailbox is given once, never for signing in. */
export function toMailbox(email: string): string {
  const at = email.lastIndexOf('@')
  const [name, host] = [email.slice(0, at).toLowerCase(), email.slice(at + 1).toLowerCase()]
  const provider = PROVIDERS.find(({ hosts }) => hosts.includes(host))
  if (!provider) return `${name}@${host}`
  const cut = name.indexOf(provider.tag, 1)
  const base = (cut < 0 ? name : name.slice(0, cut)).replace(provider.ignored ?? /$^/, '')
  return `${base}@${provider.hosts[0]!}`
}
