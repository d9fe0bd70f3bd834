import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { AppError } from '#server/core/app-error.ts'
import { turnPicture } from './picture.ts'

/** The part of Tesseract's API that is used here, as its WebAssembly build has it. */
type TesseractApi = {
  Init(path: null, languages: string, mode: number): number
  SetImageFile(orientation: number, angle: number): number
  Recognize(monitor: null): number
  GetUTF8Text(): string
  MeanTextConf(): number
  SetVariable(name: string, value: string): void
}
type TesseractCore = {
  FS: { writeFile(path: string, data: Uint8Array): void }
  TessBaseAPI: new () => TesseractApi
}

/** Simplified Chinese and English, whose data come with the packages. */
const LANGUAGES = ['chi_sim', 'eng']
const LSTM_ONLY = 1
/** Confidence in per cent from which a page counts as upright. */
const CONFIDENT = 80
/** Further attempts: large writing is read better when it is smaller, and a page may lie on any side. */
const ATTEMPTS = [
  { degrees: 0, scale: 0.5 },
  { degrees: 180, scale: 1 },
  { degrees: 90, scale: 1 },
  { degrees: 270, scale: 1 },
]
/** Confidence in per cent below which a result is no text. */
const MIN_CONFIDENCE = 30

const require = createRequire(import.meta.url)
let loading: Promise<{ core: TesseractCore; api: TesseractApi }> | undefined

async function load(): Promise<{ core: TesseractCore; api: TesseractApi }> {
  const silent = (): void => {}
  const create = require('tesseract.js-core/tesseract-core-simd-lstm.js') as (
    options: object,
  ) => Promise<TesseractCore>
  const core = await create({ TesseractProgress: silent, print: silent, printErr: silent })
  for (const language of LANGUAGES) {
    const data = require.resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`)
    core.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(data)))
  }
  const api = new core.TessBaseAPI()
  if (api.Init(null, LANGUAGES.join('+'), LSTM_ONLY) !== 0) throw new AppError('recognition_failed')
  // Resolution of pictures that state none: the one in which pages are drawn here.
  api.SetVariable('user_defined_dpi', '180')
  return { core, api }
}

/** Reads the text of an upright or turned PNG with Tesseract, which is loaded into this process at the first call. */
export async function recognisePng(png: Uint8Array): Promise<string> {
  loading ??= load()
  const { core, api } = await loading
  const read = (picture: Uint8Array): { text: string; confidence: number } => {
    core.FS.writeFile('/input', picture)
    if (api.SetImageFile(1, 0) !== 0 || api.Recognize(null) !== 0) throw new AppError('recognition_failed')
    return { text: api.GetUTF8Text(), confidence: api.MeanTextConf() }
  }
  let best = read(png)
  for (const { degrees, scale } of ATTEMPTS) {
    // An empty page is empty from all sides.
    if (best.confidence >= CONFIDENT || !best.text.trim()) break
    const turned = read(await turnPicture(png, degrees, scale))
    if (turned.confidence > best.confidence) best = turned
  }
  return best.confidence < MIN_CONFIDENCE ? '' : cleanText(best.text)
}

/** Removes spaces between Chinese characters and at ends of lines, and empty lines beyond one. */
const cleanText = (text: string): string =>
  text
    .replace(
      /(?<=[\u2E80-\u9FFF\u3000-\u303F\uFF00-\uFFEF])[ \t]+(?=[\u2E80-\u9FFF\u3000-\u303F\uFF00-\uFFEF])/g,
      '',
    )
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
