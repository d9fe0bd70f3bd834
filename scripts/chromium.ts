import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackages, type Provided } from './debian-packages.ts'

/** The headless shell comes first: the others draw invisible windows, which doubles the time of the tests. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const PACKAGES = ['chromium-headless-shell', 'fonts-noto-cjk']

/** Returns the path of a Chromium: CHROMIUM_PATH, the machine's, or a new one from Debian's packages where permitted. */
export async function provideChromium(): Promise<Provided> {
  const found = process.env.CHROMIUM_PATH ?? findChromium()
  if (found) return { value: found }
  const reason = await installPackages(PACKAGES)
  const installed = findChromium()
  if (installed) return { value: installed }
  return { reason: `no Chromium: apt install ${PACKAGES.join(' ')}, or set CHROMIUM_PATH (${reason})` }
}

function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
