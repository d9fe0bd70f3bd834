import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { displayTexts } from '../src/web/text/display.ts'

// Makes the display face's files from Noto Serif SC and the texts in src/web/text/display.ts. How to run it:
// src/web/styles/display/README.md.

const FOLDER = 'src/web/styles/display'
const WEIGHT = 600

type SubsetFont = (font: Buffer, text: string, options: { targetFormat: 'woff2' }) => Promise<Buffer>

const tools = resolve(process.argv[2] ?? '.')
const subsetFont = createRequire(join(tools, 'package.json'))('subset-font') as SubsetFont
const source = await readFile(
  join(
    tools,
    `node_modules/@fontsource/noto-serif-sc/files/noto-serif-sc-chinese-simplified-${WEIGHT}-normal.woff2`,
  ),
)

const listCharacters = (texts: readonly string[], without = ''): string =>
  [...new Set(texts.join(''))]
    .filter((character) => character.trim() && !without.includes(character))
    .sort()
    .join('')
const toRange = (characters: string): string =>
  Array.from(characters, (character) => `U+${character.codePointAt(0)?.toString(16)}`).join(', ')

const everywhere = listCharacters(displayTexts.everywhere)
const files = { everywhere, some: listCharacters(displayTexts.some, everywhere) }
const faces = await Promise.all(
  Object.entries(files).map(async ([name, characters]) => {
    const font = await subsetFont(source, characters, { targetFormat: 'woff2' })
    await writeFile(join(FOLDER, `wenqu-song-${name}.woff2`), font)
    console.log(`${name}: ${characters.length} characters, ${font.length} bytes`)
    return `@font-face {
  font-family: 'Wenqu Song';
  src: url('./wenqu-song-${name}.woff2') format('woff2');
  font-weight: ${WEIGHT};
  font-display: swap;
  unicode-range: ${toRange(characters)};
}
`
  }),
)
await writeFile(join(FOLDER, 'display.css'), `/* Written by scripts/display-font.ts. */\n${faces.join('')}`)
