/** The page's styles as text, with every address made absolute. Layers of Tailwind's single-purpose classes are left out. */
export function pageStyles(): string {
  return [...document.styleSheets].flatMap((sheet) => [...rulesOf(sheet)]).join('\n')
}

function* rulesOf(sheet: CSSStyleSheet): Generator<string> {
  for (const rule of sheet.cssRules) {
    if (rule instanceof CSSLayerBlockRule && rule.name === 'utilities') continue
    yield absolute(rule.cssText, sheet.href ?? location.href)
  }
}

const absolute = (css: string, base: string): string =>
  css.replace(/url\("([^"]+)"\)/g, (whole, url: string) =>
    url.startsWith('data:') ? whole : `url("${new URL(url, base).href}")`,
  )

const fontRule = /@font-face\s*\{[^}]*\}/g

/**
 * The same styles for a drawing, which can load nothing: fonts that the frame has used are put into them, the others
 * left out.
 */
export async function inlineFonts(css: string, fonts: FontFaceSet): Promise<string> {
  const used = new Set([...fonts].filter(({ status }) => status === 'loaded').map(keyOf))
  const rules = css.match(fontRule) ?? []
  const kept = rules.filter((rule) => used.has(keyOfRule(rule))).map(withData)
  return `${(await Promise.all(kept)).join('\n')}\n${css.replace(fontRule, '')}`
}

const keyOf = ({ family, weight, style }: FontFace): string => `${bare(family)} ${weightOf(weight)} ${style}`
const bare = (family: string): string => family.replaceAll(/["']/g, '')
const weightOf = (weight: string): string =>
  weight === 'bold' ? '700' : weight === 'normal' ? '400' : weight

function keyOfRule(rule: string): string {
  const value = (name: string) => new RegExp(`${name}:\\s*([^;}]+)`).exec(rule)?.[1]?.trim() ?? 'normal'
  return `${bare(value('font-family'))} ${weightOf(value('font-weight'))} ${value('font-style')}`
}

/** The rule with its first source alone, as data. */
async function withData(rule: string): Promise<string> {
  const url = /url\("([^"]+)"\)/.exec(rule)?.[1]
  if (!url) return ''
  const data = url.startsWith('data:') ? url : await dataUrl(await (await fetch(url)).blob())
  return rule.replace(/src:[^;}]*(?:url\("[^"]*"\)[^;}]*)+/, `src: url("${data}")`)
}

const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.onerror = () => reject(reader.error ?? new Error('font not read'))
    reader.readAsDataURL(blob)
  })
