// npm leaves out optional packages (the bundler's and the linter's binaries) that do not support the Node it runs on
// itself. The packages will run on Node 24, which they bring along: so npm is told that one.
Object.defineProperty(process, 'version', { value: 'v24.12.0' })
