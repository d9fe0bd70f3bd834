/**
 * A provider's rules for addresses of one mailbox: its hosts, `host` if all of them mean the same, the beginning of a tag, and
 * the one spelling of a name that can be written in several ways.
 */
type MailProvider = { hosts: RegExp; host?: string; tag: string; spellName?: (name: string) => string }

const remove =
  (characters: RegExp) =>
  (name: string): string =>
    name.replace(characters, '')

/** Large providers, with the source of their rules; addresses of others are taken as they are written. */
const PROVIDERS: MailProvider[] = [
  // https://support.google.com/mail/answer/7436150 (dots), https://support.google.com/a/users/answer/9282734 (plus)
  { hosts: /^g(oogle)?mail\.com$/, host: 'gmail.com', tag: '+', spellName: remove(/\./g) },
  // https://learn.microsoft.com/exchange/recipients-in-exchange-online/plus-addressing-in-exchange-online
  { hosts: /^(outlook|hotmail|live)(\.com?)?\.[a-z]{2,3}$|^msn\.com$/, tag: '+' },
  // https://support.apple.com/guide/icloud/mm6b1a490a (an account's @icloud.com, @me.com and @mac.com)
  { hosts: /^(icloud|me|mac)\.com$/, host: 'icloud.com', tag: '+' },
  // https://help.yahoo.com/kb/SLN28815.html (a nickname, a hyphen and a keyword; names have no hyphen)
  { hosts: /^yahoo(\.com?)?\.[a-z]{2,3}$|^(ymail|rocketmail)\.com$/, tag: '-' },
  // https://proton.me/support/addresses-and-aliases (plus, hosts); dots, hyphens, underscores as its programs have it:
  // https://github.com/ProtonMail/WebClients/blob/main/packages/shared/lib/helpers/email.ts
  {
    hosts: /^(proton\.me|pm\.me|protonmail\.(com|ch))$/,
    host: 'proton.me',
    tag: '+',
    spellName: remove(/[._-]/g),
  },
  // https://www.fastmail.help/hc/en-us/articles/360060591053
  { hosts: /^fastmail\.(com|fm)$/, tag: '+' },
  // https://www.zoho.com/mail/help/plus-addressing.html
  { hosts: /^zoho(mail)?(\.com)?\.[a-z]{2,3}$/, tag: '+' },
  // https://yandex.com/support/mail/web/preferences/aliases.html (hosts; a hyphen for a dot)
  {
    hosts: /^(ya\.ru|yandex\.(com|ru|by|kz|ua))$/,
    host: 'yandex.com',
    tag: '+',
    spellName: (name) => name.replaceAll('-', '.'),
  },
]

/** Fastmail's other spelling of a tag, `{tag}@{name}.fastmail.com` (the same page). */
const FASTMAIL_SUBDOMAIN = /^([^.]+)\.(fastmail\.(?:com|fm))$/

/** Returns one address for all addresses of a mailbox: for gifts that each mailbox gets once, never for signing in. */
export function toMailbox(email: string): string {
  const at = email.lastIndexOf('@')
  const parts = { name: email.slice(0, at).toLowerCase(), host: email.slice(at + 1).toLowerCase() }
  const [, owner, domain] = FASTMAIL_SUBDOMAIN.exec(parts.host) ?? []
  const { name, host } = owner && domain ? { name: owner, host: domain } : parts
  const provider = PROVIDERS.find(({ hosts }) => hosts.test(host))
  if (!provider) return `${name}@${host}`
  const { tag, spellName = (plain) => plain } = provider
  const cut = name.indexOf(tag, 1)
  return `${spellName(cut < 0 ? name : name.slice(0, cut))}@${provider.host ?? host}`
}
