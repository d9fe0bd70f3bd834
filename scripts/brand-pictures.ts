import { readFile, writeFile } from 'node:fs/promises'
import { chromium } from '@playwright/test'
import { homeText } from '../src/web/text/site/home.ts'
import { shellText } from '../src/web/text/shell.ts'
import { drawWaterLines } from '../src/web/ui/water/waterLines.ts'
import { provideChromium } from './chromium.ts'
import { requireProvided } from './debian-packages.ts'

// Draws the product's pictures in other programs: icons for home screens, and the picture of its links. They are made of the
// mark, the water and the display face; `node scripts/brand-pictures.ts` writes them to src/web/public anew.

const FOLDER = 'src/web/public'
const FONTS = 'src/web/styles/display'

const mark = await readFile(`${FOLDER}/favicon.svg`, 'utf8')
/** Home screens round the corners themselves, and cut a maskable icon to its middle. */
const icon = mark.replace('rx="8"', '').replace('<g ', '<g transform="translate(3.2 3.2) scale(.8)" ')

async function readFace(): Promise<string> {
  const faces = ['everywhere', 'some'].map(async (name) => {
    const font = await readFile(`${FONTS}/wenqu-song-${name}.woff2`)
    return `@font-face { font-family: ${name}; src: url(data:font/woff2;base64,${font.toString('base64')}) }`
  })
  return (await Promise.all(faces)).join('\n')
}

const water = drawWaterLines({ width: 1440, height: 760, lines: 32 })
  .map(({ d, opacity, width }) => `<path d="${d}" stroke-opacity="${opacity}" stroke-width="${width}"/>`)
  .join('')

const linkPicture = `<style>${await readFace()}
  body { margin: 0; width: 1200px; height: 630px; overflow: hidden; position: relative; background: #fffefb; color: #1d1c19;
    font-family: everywhere, some }
  .water { position: absolute; inset: 0 0 auto; width: 1200px; height: 633px }
  .brand { position: absolute; left: 84px; top: 72px; display: flex; align-items: center; gap: 20px; font-size: 40px;
    letter-spacing: .18em }
  .brand svg { width: 58px; height: 58px }
  h1 { position: absolute; left: 80px; top: 236px; margin: 0; width: 4.2em; font-size: 118px; line-height: 1.28; font-weight: 600 }
  .poem { position: absolute; right: 84px; top: 300px; writing-mode: vertical-rl; font-size: 27px; line-height: 2.1;
    letter-spacing: .3em; color: #5b584f }
</style>
<svg class="water" viewBox="0 0 1440 760" fill="none" stroke="#1b6a86">${water}</svg>
<div class="brand">${mark}${shellText.brand}</div>
<h1>${homeText.heading}</h1>
<div class="poem">${homeText.poem.join('<br>')}</div>`

const browser = await chromium.launch({ executablePath: requireProvided(await provideChromium()) })
try {
  const draw = async (name: string, html: string, [width, height]: [number, number]) => {
    const page = await browser.newPage({ viewport: { width, height } })
    await page.setContent(html)
    await page.evaluate('document.fonts.ready')
    await writeFile(`${FOLDER}/${name}.png`, await page.screenshot())
    await page.close()
  }
  await draw('og', linkPicture, [1200, 630])
  const sizes = { 'apple-touch-icon': 180, 'icon-192': 192, 'icon-512': 512 }
  for (const [name, size] of Object.entries(sizes)) {
    await draw(name, `<style>body{margin:0}svg{display:block;width:${size}px}</style>${icon}`, [size, size])
  }
} finally {
  await browser.close()
}
