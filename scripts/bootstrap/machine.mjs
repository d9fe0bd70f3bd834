import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { delimiter, join } from 'node:path'
import { knownCause, Unmet } from './unmet-requirement.mjs'

const NEEDED = [24, 12]

/** Bytes for the packages, and a little to work with. */
const NEEDED_BYTES = 700e6

/** Tells whether this version of Node, such as v24.12.0, runs the server. */
export function isEnough(version) {
  const [major, minor] = version.replace('v', '').split('.').map(Number)
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
}

/** Checks, before packages are installed into `root`, that this machine can run them at all. Throws Unmet. */
export function checkMachine(root) {
  const { platform, arch, version } = process
  if (platform === 'win32') {
    throw new Unmet(
      '暂不支持直接在 Windows 上运行：请在 WSL（wsl --install）中运行。',
      'Windows is not supported directly: run this inside WSL (wsl --install).',
    )
  }
  if (platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime) {
    throw new Unmet(
      '暂不支持 Alpine 等使用 musl 的系统：请改用 Debian、Ubuntu 等使用 glibc 的系统或镜像。',
      'Alpine and other musl systems are not supported: use Debian, Ubuntu or another system with glibc.',
    )
  }
  // On these systems Node 24 comes with the packages; on any other the machine's own must do.
  const packaged = platform === 'linux' && (arch === 'x64' || arch === 'arm64')
  if (!packaged && !isEnough(version)) throw tooOld(version)
  // Checked beforehand: npm on a full disk fails in many ways, few of which say so. Node below 18.15 cannot tell.
  const disk = fs.statfsSync?.(root)
  if (disk && disk.bavail * disk.bsize < NEEDED_BYTES) throw knownCause('ENOSPC')
}

/** Checks, after packages are installed, that `node` now runs the server. Throws Unmet. */
export function checkNode() {
  if (isEnough(process.version) && firstOnPath('node') === fs.realpathSync(process.execPath)) return
  const version = nodeOnPath()
  if (!isEnough(version)) throw tooOld(version)
}

/** Returns the real path of a command as the shell finds it: to run the command takes longer than all else here. */
function firstOnPath(command) {
  const file = process.env.PATH.split(delimiter)
    .map((folder) => join(folder, command))
    .find((path) => fs.existsSync(path))
  return file && fs.realpathSync(file)
}

function nodeOnPath() {
  try {
    return execFileSync('node', ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return process.version
  }
}

function tooOld(version) {
  const machine = `${process.platform} ${process.arch}`
  return new Unmet(
    `此系统（${machine}）需要 Node ${NEEDED.join('.')} 或更新的版本，当前为 ${version}：请从 https://nodejs.org 安装，macOS 也可执行 brew install node@24。`,
    `This system (${machine}) needs Node ${NEEDED.join('.')} or newer, this is ${version}: install it from https://nodejs.org, or on macOS with brew install node@24.`,
  )
}
