// The first character of each letter in the order of pinyin; no syllable begins with i, u or v.
const LETTERS = 'abcdefghjklmnopqrstwxyz'
const FIRST = '阿八嚓哒妸发旮哈讥咔垃痳拏噢妑七呥扨它穵夕丫帀'
const order = new Intl.Collator('zh-Hans-CN-u-co-pinyin')
const cache = new Map<string, string>()

function getInitial(char: string): string {
  if (!/\p{Script=Han}/u.test(char)) return char
  const before = cache.get(char)
  if (before !== undefined) return before
  const firsts = Array.from(FIRST)
  const at = firsts.findLastIndex((first) => order.compare(first, char) <= 0)
  const letter = LETTERS[at] ?? char
  cache.set(char, letter)
  return letter
}

/** A text with each Chinese character replaced by the first letter of its most usual reading: 新对话 → xdh. */
export const toPinyinInitials = (text: string): string => Array.from(text.toLowerCase(), getInitial).join('')
