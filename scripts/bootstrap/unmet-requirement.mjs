/** A requirement that the machine lacks: one sentence in Chinese and in English that names it and how to get it. */
export class Unmet extends Error {
  constructor(zh, en) {
    super(`${zh}\n${en}`)
    this.name = 'Unmet'
  }
}

const causes = [
  [
    /\bENOSPC\b/,
    '磁盘空间不足：请为项目目录所在的磁盘腾出约 1 GB 空间后重试。',
    'The disk is full: free about 1 GB where the project lies, then try again.',
  ],
  [
    /\b(EACCES|EPERM|EROFS)\b/,
    '没有写入权限：请用项目目录的所有者运行，或执行 chown 修改目录的所有者。',
    'Writing is not permitted: run this as the owner of the project folder, or give yourself the folder with chown.',
  ],
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/,
    '无法连接 npm 软件源：请检查网络，或用 npm config set registry <地址> 换一个软件源后重试。',
    'The npm registry cannot be reached: check the network, or choose another with npm config set registry <url>, then try again.',
  ],
]

/** The known reason behind an error's text, as Unmet; undefined when there is none. */
export function knownCause(text) {
  const cause = causes.find(([pattern]) => pattern.test(text))
  return cause && new Unmet(cause[1], cause[2])
}
