/** Reasons why a text cannot be a name that others see: it would carry a message to them. */
export type NameProblem = keyof typeof nameProblems

/** Messages for the owner of a refused name. */
export const nameProblems = {
  characters: '名称里不能有换行、控制字符或看不见的字符',
  email: '名称里不能有邮箱地址',
  link: '名称里不能有网址或域名',
  number: '名称里不能有电话、QQ、微信等联系号码',
} as const

/**
 * Endings of domains that are well known and used in spam. Not all endings: countries and words that end real names are left out
 * (`J.Li`, `Node.js`, `Ph.D`), since mails break up any remaining domain (`toMailName`).
 */
const ENDINGS = (
  'com net org edu gov biz info mobi top xyz vip shop store site online club wang win ltd icu cyou buzz link click app dev ' +
  'page cloud tech website space host email ink live fun bet casino poker loan bid racing cam quest monster sbs cfd bond lol ' +
  'skin asia tel cn tw hk jp kr us uk eu ru de fr nl ch se dk fi cz ro tr ua kz sg th vn au nz ca br ar io ai me tv cc co gg ' +
  'to in ws fm nu tk ga cf gq pw vc ly gl im'
).replaceAll(' ', '|')
/** Endings that make a domain even with blanks around the dot. */
const BARE_ENDINGS = 'com|cn|org|xyz|cc|vip|icu'
/** Their dot must be one that a browser takes for a dot: a middle dot parts names (`麦当劳·中国`). */
const CHINESE_ENDINGS =
  '中国|中國|公司|网络|網絡|网址|網址|在线|中文网|我爱你|集团|手机|商城|商店|网店|游戏|信息|企业|香港|台湾|台灣'

/** Letters of other scripts that look like those of endings, each before its Latin twin. */
const LOOKALIKES = new Map(
  'аa сc еe оo рp хx уy іi мm тt нh гr кk ѕs јj οo εe νv τt ιi ρp ᴄc ᴏo ᴍm ɴn ᴇe ᴛt'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)] as const),
)

/** Dots as browsers take them (UTS 46), and characters that look like one. */
const REAL_DOT = /[.。]/g
const SEEMING_DOT = /[‧•∙⋅・۔◦ꓸ⸱⸳᛫]/g

/** Finds the reason why others should not see a text as a name, null for none. It knows people's usual tricks, not all tricks. */
export function findNameProblem(name: string): NameProblem | null {
  if (hasHiddenCharacters(name)) return 'characters'
  const text = joinSpelledOut(fold(name))
  if (EMAIL.test(text)) return 'email'
  if (LINK.test(text) || hasDomain(text) || hasIpAddress(text)) return 'link'
  return CONTACT.test(text) || hasLongNumber(text) ? 'number' : null
}

/** Joiners of emoji, and selectors of the look of an emoji or of a Han character. */
const EMOJI_JOINER =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu
const SELECTOR = /(?<=\p{Emoji}|\p{Script=Han})[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu
/** Control characters, invisible or direction-changing ones, line ends, the blank Braille pattern, piled marks. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]|\p{M}{4}/u

const hasHiddenCharacters = (name: string): boolean =>
  HIDDEN.test(name.replace(EMOJI_JOINER, '').replace(SELECTOR, ''))

/** Returns a name in the plainest spelling: small letters of one width, without marks, its dots `.` or `·`. */
const fold = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{Mn}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[^\p{ASCII}]/gu, (letter) => LOOKALIKES.get(letter) ?? letter)
    .replace(REAL_DOT, '.')
    .replace(SEEMING_DOT, '·')

const SPACED_LETTERS = /(?<![a-z0-9])(?:[a-z0-9.·:/-]\s+){3,}[a-z0-9.·:/-](?![a-z0-9])/g
const BRACKETED_DOT = /\s*[[({<【〔「『《]\s*(?:[.·]|dot|点|點)\s*[\])}>】〕」』》]\s*/g
const WRITTEN_DOT = new RegExp(
  `(?<=[a-z0-9])(?:\\s*[点點]\\s*|[\\s_-]+dot[\\s_-]+)(?=(?:${ENDINGS})(?!-?[a-z0-9]))`,
  'g',
)

/** Reads `e v i l . com`, `evil[.]com`, `evil點com` as they are meant. */
const joinSpelledOut = (text: string): string =>
  text
    .replace(SPACED_LETTERS, (letters) => letters.replace(/\s+/g, ''))
    .replace(BRACKETED_DOT, '.')
    .replace(WRITTEN_DOT, '.')

const EMAIL =
  /[\p{L}\p{N}]\s*@\s*(?:[a-z0-9-]+[.·][a-z]{2}|(?:qq|gmail|163|126|139|189|foxmail|outlook|hotmail|icloud|sina|yahoo)(?![a-z0-9]))/u
const LINK = new RegExp(
  `:\\s*/\\s*/|(?<![a-z])www\\d?\\s*[.·]|xn--|[\\p{L}\\p{N}]\\.(?:${CHINESE_ENDINGS})(?!\\p{L})|` +
    `[\\p{L}\\p{N}]\\s*[.·]\\s*(?:${BARE_ENDINGS})(?!-?[a-z0-9])|[\\p{L}\\p{N}]\\s+[.·]\\s+net(?!-?[a-z0-9])`,
  'u',
)
const DOMAIN = new RegExp(`([\\p{L}\\p{N}-]+)[.·](${ENDINGS})(?!-?[a-z0-9])`, 'gu')
/** `Dr.Wang`, `Co.Ltd`, and names of software that are a domain of their makers. */
const NO_DOMAIN = /^(?:(?:mr|mrs|ms|dr|prof|st)\.\w+|(?:co|pty)\.ltd|(?:asp|vb|ado)\.net)$/

const hasDomain = (text: string): boolean =>
  [...text.matchAll(DOMAIN)].some(([domain]) => !NO_DOMAIN.test(domain))

const hasIpAddress = (text: string): boolean =>
  [...text.matchAll(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g)].some(([address]) =>
    address.split('.').every((part) => Number(part) < 256),
  )

/** An account of a messenger: its name, then a word with a digit. */
const CONTACT =
  /(?:qq|vx|wx|v信|微信|威信|薇信|weixin|wechat|whatsapp|telegram|扣扣|电话|手机)[号群:：\s]*(?=[a-z0-9_-]*\d)[a-z0-9_-]{5,}/
/** Digits of a telephone number or of a messenger, and their usual separators. Birthdays have eight digits. */
const MIN_CONTACT_DIGITS = 9
const DIGITS =
  /[\p{N}零〇一幺二三四五六七八九壹贰叁肆伍陆柒捌玖](?:[\s\-_.·()+]*[\p{N}零〇一幺二三四五六七八九壹贰叁肆伍陆柒捌玖])+/gu

const hasLongNumber = (text: string): boolean =>
  [...text.matchAll(DIGITS)].some(([run]) => run.replace(/[\s\-_.·()+]/g, '').length >= MIN_CONTACT_DIGITS)
