import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runProcess } from './run.ts'

/** The headless shell first: the others draw windows that nobody sees, which doubles the time of the tests. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const PACKAGES = 'chromium-headless-shell fonts-noto-cjk'
// flock: apt's own lock on the package lists does not wait, and two test runs may start at the same time.
const INSTALL = [
  'flock',
  '/tmp/wenqu-apt.lock',
  'sh',
  '-c',
  `apt-get update -qq && apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 ${PACKAGES}`,
]

/**
 * Path of a Chromium: CHROMIUM_PATH, one of the machine, or a new one from Debian's packages where that is permitted.
 * Undefined when there is none; what to do was then printed.
 */
export async function provideChromium(): Promise<string | undefined> {
  const found = process.env.CHROMIUM_PATH ?? findChromium()
  if (found) return found
  const [command = '', ...args] = process.getuid?.() === 0 ? INSTALL : ['sudo', '-n', ...INSTALL]
  console.log('正在安装 Chromium Installing Chromium …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { output } = await runProcess(command, args, { output: 'quiet', env })
  const installed = findChromium()
  if (!installed) {
    const reason = output.trim().split('\n').at(-1) || 'not found on PATH'
    console.error(
      `浏览器测试需要 Chromium：请安装它（Debian：apt install ${PACKAGES}），或把 CHROMIUM_PATH 设为其路径（${reason}）。\n` +
        `The browser tests need Chromium: install it (Debian: apt install ${PACKAGES}), or set CHROMIUM_PATH to its path (${reason}).`,
    )
  }
  return installed
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
