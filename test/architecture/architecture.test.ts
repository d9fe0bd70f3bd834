import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FOLDERS_WITHOUT_DATABASE } from '../world/needs.ts'
import { plainComments } from './comments.ts'
import { noCycles, noFolderCycles } from './cycles.ts'
import { findDeadPaths } from './docs.ts'
import { noAny, smallFiles, smallFolders, descriptiveNames } from './files.ts'
import { floors, sqlInStores } from './floors.ts'
import { parseModule, type Source } from './module.ts'
import { boundQueries, linksToPages, pagesOfContract } from './pages.ts'
import { namedFeatures, sides } from './sides.ts'
import { typeScale } from './styles.ts'
import { fullWidthPunctuation, noZodInWeb, thinPages, webEntryPoints, webLayers, wordsInText } from './web.ts'

// The rules of ARCHITECTURE.md. Each message says what to do; test/architecture/rules.test.ts proves that each rule works.

const read = (patterns: string[]): Source[] =>
  globSync(patterns, { exclude: ['bench/peers/**'] }).map((path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }))

const modules = read(['{src,test,scripts,bench}/**/*.{ts,tsx,mjs}']).map(parseModule)
const product = modules.filter(({ path }) => path.startsWith('src/'))

test.each([
  ['contract, server and web keep to their sides', sides, product],
  ['another feature is imported by its name', namedFeatures, product],
  ['the floors of the server import downwards', floors, product],
  ['SQL of a feature is in its store', sqlInStores, product],
  ['the ground and the pages of the web keep their place', webLayers, product],
  ['a feature of the web is entered by its entry point', webEntryPoints, product],
  ['pages are thin', thinPages, product],
  ['pages are those of the contract', pagesOfContract, product],
  ['links lead to pages', linksToPages, product],
  ['queries are bound to the client', boundQueries, product],
  ['words are in src/web/text', wordsInText, product],
  ['punctuation between Chinese characters is Chinese', fullWidthPunctuation, product],
  ['no zod in the browser', noZodInWeb, product],
  ['sizes of text have names', typeScale, product],
  ['no import cycles', noCycles, product],
  ['no circles of folders', noFolderCycles, product],
  ['no any', noAny, modules],
  ['names say what is inside', descriptiveNames, modules],
  ['comments begin with a subject or a verb', plainComments, modules],
  ['files are small', smallFiles, modules],
  ['folders are small', smallFolders, product],
])('%s', (_, rule, checked) => {
  expect(rule(checked)).toEqual([])
})

test('each folder of tests without a database has some', () => {
  const isEmpty = (folder: string): boolean => globSync(`test/${folder}/**/*.test.ts`).length === 0
  expect(FOLDERS_WITHOUT_DATABASE.filter(isEmpty)).toEqual([])
})

test('the documents name only paths that exist', () => {
  const documents = read(['*.md', 'docs/**/*.md'])
  expect(findDeadPaths(documents, existsSync)).toEqual([])
})
