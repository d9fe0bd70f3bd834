import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isEnough } from './machine.mjs'
import { run } from './run.mjs'
import { knownCause, Unmet } from './unmet-requirement.mjs'

const FOLDER = 'node_modules/'

const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
const same = (a, b) => a !== undefined && a.version === b.version && a.integrity === b.integrity

/**
 * Tells whether node_modules is what package-lock.json says. The answer comes from npm's own record of the packages, which npm
 * writes last: so an `npm ci` by hand counts, and a killed one does not.
 */
export function isInstalled(root) {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const installed = packagesOf(record)
  const wanted = Object.entries(packagesOf(join(root, 'package-lock.json'))).filter(([path]) => path !== '')
  return wanted.every(([path, entry]) =>
    installed[path] ? same(installed[path], entry) : entry.optional && !isForThisMachine(entry),
  )
}

/** Tells whether an optional package is made for this system and processor; libc is glibc, see machine.mjs. */
function isForThisMachine({ os, cpu, libc }) {
  return (
    os?.includes(process.platform) && cpu?.includes(process.arch) && (libc ?? ['glibc']).includes('glibc')
  )
}

/** Installs the locked packages in `work` and moves them into place. Throws Unmet. */
export async function install(root, work) {
  console.log('正在安装依赖（首次约需半分钟） Installing packages (about half a minute the first time) …')
  const staging = join(work, 'install')
  mkdirSync(staging)
  copyFileSync(join(root, 'package.json'), join(staging, 'package.json'))
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const { output: registry } = await run('npm', ['config', 'get', 'registry'], { cwd: staging, work })
  let { code, output } = await ci(staging, work, withAddresses(lock, registry.trim()))
  // Without an address, npm asks the registry itself: some keep their packages elsewhere.
  if (code !== 0 && !knownCause(output)) ({ code, output } = await ci(staging, work, lock))
  if (code !== 0) throw knownCause(output) ?? failed(output)
  const place = join(root, 'node_modules')
  if (existsSync(place)) renameSync(place, join(work, 'old-packages'))
  renameSync(join(staging, 'node_modules'), place)
}

async function ci(staging, work, lock) {
  writeFileSync(join(staging, 'package-lock.json'), lock)
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const asNode24 = fileURLToPath(new URL('as-node-24.cjs', import.meta.url))
  const options = `${process.env.NODE_OPTIONS ?? ''} --require ${JSON.stringify(asNode24)}`
  const extra = isEnough(process.version) ? {} : { NODE_OPTIONS: options }
  const { missing, ...end } = await run('npm', ['ci', ...flags], { cwd: staging, work, extra })
  if (missing) {
    throw new Unmet(
      '找不到 npm：请安装它（Debian 或 Ubuntu：apt install npm；其他系统：https://nodejs.org）。',
      'npm is missing: install it (Debian or Ubuntu: apt install npm; elsewhere: https://nodejs.org).',
    )
  }
  return end
}

/**
 * Returns the lockfile with the address of each package at npm's registry. Without addresses npm first asks for, and reads, the
 * list of all versions of each package.
 */
function withAddresses(lock, registry) {
  if (!URL.canParse(registry)) return lock
  const content = JSON.parse(lock)
  for (const [path, entry] of Object.entries(content.packages)) {
    if (!entry.integrity) continue
    const name = entry.name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
    entry.resolved ??= `${registry.replace(/\/$/, '')}/${name}/-/${name.split('/').pop()}-${entry.version}.tgz`
  }
  return JSON.stringify(content)
}

function failed(output) {
  const reason = output.trim().split('\n').slice(0, 3).join(' ')
  return new Unmet(
    `依赖安装失败：请在项目目录执行 npm ci 查看原因（${reason}）。`,
    `Installing the packages failed: run npm ci in the project folder to see why (${reason}).`,
  )
}
