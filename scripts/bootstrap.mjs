// `bootstrap.mjs start|dev|test`: makes a fresh clone runnable, then exits. It runs on any Node and has no dependency. The syntax
// of this one file is kept old enough that an outdated Node still says what is wrong.
const [major] = process.versions.node.split('.').map(Number)

if (major < 18) {
  console.error(
    `问渠需要 Node 18 或更新的版本（当前为 ${process.version}）：请从 https://nodejs.org 安装 Node 24。\n` +
      `Wenqu needs Node 18 or newer (this is ${process.version}): install Node 24 from https://nodejs.org.`,
  )
  process.exit(1)
} else {
  void import('./bootstrap/prepare.mjs').then(({ prepare }) => prepare(process.argv[2]))
}
