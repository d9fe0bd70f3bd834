/** The page's styles as text with absolute URLs. Layers of Tailwind's single-purpose classes are left out. */
export function getPageStyles(): string {
  return [...document.styleSheets].flatMap((sheet) => [...listRules(sheet)]).join('\n')
}

function* listRules(sheet: CSSStyleSheet): Generator<string> {
  for (const rule of sheet.cssRules) {
    if (rule instanceof CSSLayerBlockRule && rule.name === 'utilities') continue
    yield toAbsoluteUrls(rule.cssText, sheet.href ?? location.href)
  }
}

const toAbsoluteUrls = (css: string, base: string): string =>
  css.replace(/url\("([^"]+)"\)/g, (whole, url: string) =>
    url.startsWith('data:') ? whole : `url("${new URL(url, base).href}")`,
  )

const fontRule = /@font-face\s*\{[^}]*\}/g

/** Makes the styles fit for a drawing, which can load nothing: embeds the fonts that the frame has used, and drops the others. */
export async function inlineFonts(css: string, fonts: FontFaceSet): Promise<string> {
  const usedFontKeys = new Set([...fonts].filter(({ status }) => status === 'loaded').map(getFontKey))
  const rules = css.match(fontRule) ?? []
  const embeddedRules = rules.filter((rule) => usedFontKeys.has(getRuleKey(rule))).map(embedFont)
  return `${(await Promise.all(embeddedRules)).join('\n')}\n${css.replace(fontRule, '')}`
}

const getFontKey = ({ family, weight, style }: FontFace): string =>
  `${stripQuotes(family)} ${normalizeWeight(weight)} ${style}`
const stripQuotes = (family: string): string => family.replaceAll(/["']/g, '')
const normalizeWeight = (weight: string): string =>
  weight === 'bold' ? '700' : weight === 'normal' ? '400' : weight

function getRuleKey(rule: string): string {
  const value = (name: string) => new RegExp(`${name}:\\s*([^;}]+)`).exec(rule)?.[1]?.trim() ?? 'normal'
  return `${stripQuotes(value('font-family'))} ${normalizeWeight(value('font-weight'))} ${value('font-style')}`
}

/** The rule with only its first source, as a data URL. */
async function embedFont(rule: string): Promise<string> {
  const url = /url\("([^"]+)"\)/.exec(rule)?.[1]
  if (!url) return ''
  const data = url.startsWith('data:') ? url : await toDataUrl(await (await fetch(url)).blob())
  return rule.replace(/src:[^;}]*(?:url\("[^"]*"\)[^;}]*)+/, `src: url("${data}")`)
}

const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('font not read')))
    reader.readAsDataURL(blob)
  })
