import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  PICTURE_HEAD,
  checkResults,
  checkSent,
  createPicture,
  createTask,
  createTooLong,
  createUsage,
  isBlind,
} from '../agents.ts'
import type { Step } from '../agents.ts'
import { runProgram } from '../command.ts'
import { check, env, features, models, reportVersion, script, upstreamBodies } from '../report.ts'

const PROGRAM = resolve('node_modules/.bin/codex')
const PROVIDER = `
model_provider = "wenqu"
[model_providers.wenqu]
name = "Wenqu"
base_url = "${env.OPENAI_BASE_URL}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`
const createHome = (settings = ''): string => {
  const home = mkdtempSync(join(tmpdir(), 'codex-home-'))
  writeFileSync(join(home, 'config.toml'), settings + PROVIDER)
  return home
}
const HOME = createHome()

const createFolder = (): string => mkdtempSync(join(tmpdir(), 'codex-work-'))
type Place = { cwd?: string; home?: string; more?: string[] }
const codex = (model: string, prompt: string, { cwd = createFolder(), home = HOME, more = [] }: Place = {}) =>
  runProgram(
    PROGRAM,
    ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', model, ...more, '--', prompt],
    { cwd, env: { CODEX_HOME: home } },
  )

const execute = (cmd: string, expects: string): Step => ({ name: 'exec_command', input: { cmd }, expects })
const patch = (name: string, lines: string[]): Step => ({
  name: 'apply_patch',
  input: { input: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') },
  expects: name,
})

/** 30 calls in 25 turns: files are added, shown, changed, shown again, and read twice at once. */
const STEPS = Array.from({ length: 5 }, (_, round) => {
  const name = `file-${round}.txt`
  const [first, second] = [`渠水-${round}`, `活水-${round}`]
  return [
    [patch(name, [`*** Add File: ${name}`, `+${first}`])],
    [execute(`cat ${name}`, first)],
    [patch(name, [`*** Update File: ${name}`, '@@', `-${first}`, `+${second}`])],
    [execute(`cat ${name}`, second)],
    [execute(`sleep 0.5; echo wenqu-$((${round} + 40))`, `wenqu-4${round}`), execute(`cat ${name}`, second)],
  ]
}).flat()

/** Codex's own entry for a model that edits files by a tool, under the names of our models. */
async function createCatalogue(): Promise<string> {
  const output = await runProgram(PROGRAM, ['debug', 'models'], { cwd: HOME, env: { CODEX_HOME: HOME } })
  const json = output.split('\n').find((line) => line.startsWith('{')) ?? '{}'
  const { models: known } = JSON.parse(json) as { models: Record<string, unknown>[] }
  const known_model = known.find((one) => one['apply_patch_tool_type'] && !one['tool_mode'])
  const path = join(HOME, 'models.json')
  writeFileSync(path, JSON.stringify({ models: models.map((slug) => ({ ...known_model, slug })) }))
  return path
}

/** The name under which the last request offers a tool. */
async function findTool(model: string, names: string): Promise<string> {
  const [body] = (await upstreamBodies(model)).slice(-1)
  const [, name] = new RegExp(`"name":"(${names})"`).exec(JSON.stringify(body)) ?? []
  check(name, `no tool ${names}`)
  return name
}

reportVersion((await runProgram(PROGRAM, ['--version'], { cwd: HOME })).trim())
await features('an answer', async (model) => {
  await script(model, { text: '渠水很清' })
  check((await codex(model, '源头在哪里？')).includes('渠水很清'), 'the answer is not shown')
})
await features('a command and its output', async (model) => {
  const steps = [[execute('echo wenqu-$((40 + 2))', 'wenqu-42')]]
  await script(model, ...createTask(model, steps, '看过了'))
  check((await codex(model, '运行一下')).includes('看过了'), 'the second answer is not shown')
  await checkResults(model, steps)
})
await features('a tool of a namespace', async (model) => {
  const name = await findTool(model, 'multi_agent_v1__close_agent')
  const steps = [[{ name, input: { target: 'nobody' }, expects: '' }]]
  await script(model, ...createTask(model, steps, '没有这个'))
  check((await codex(model, '关掉它')).includes('没有这个'), 'the second answer is not shown')
  const [body] = (await upstreamBodies(model)).slice(-1)
  check(!/unsupported call/.test(JSON.stringify(body)), 'the program does not know the tool by this name')
})
const CATALOGUE = await createCatalogue()
await features('tools that are found by a search', async (model) => {
  const home = createHome(`model_catalog_json = "${CATALOGUE}"\n`)
  const name = 'multi_agent_v1__close_agent'
  const steps = [
    [{ name: 'tool_search', input: { query: 'close an agent' }, expects: name }],
    [{ name, input: { target: 'nobody' }, expects: '' }],
  ]
  await script(model, ...createTask(model, steps, '没有这个'))
  check((await codex(model, '关掉它', { home })).includes('没有这个'), 'the answer is not shown')
  await checkResults(model, steps)
  const [body] = (await upstreamBodies(model)).slice(-1)
  check(!/unsupported call/.test(JSON.stringify(body)), 'the program does not know the tool by this name')
})
await features('a task of 30 calls, and a later question', async (model) => {
  const cwd = createFolder()
  const home = createHome(`model_catalog_json = "${CATALOGUE}"\n`)
  await script(model, ...createTask(model, STEPS, '都做完了'), { text: '做了三十步' })
  check((await codex(model, '一步一步做', { cwd, home })).includes('都做完了'), 'the last answer is not shown')
  await checkResults(model, STEPS)
  const later = await codex(model, '做了几步？', { cwd, home, more: ['resume', '--last'] })
  check(later.includes('做了三十步'), 'the later answer is not shown')
  await checkResults(model, STEPS)
})
await features('a picture with the question', async (model) => {
  const cwd = createFolder()
  await script(model, { text: '是红的' })
  const more = ['-i', createPicture(cwd)]
  const shown = await codex(model, '看图', { cwd, more }).catch(String)
  if (isBlind(model)) return check(shown.includes('不能读取图片'), `no word about pictures: ${shown}`)
  check(shown.includes('是红的'), shown)
  await checkSent(model, PICTURE_HEAD, 'the picture did not come')
})
await features('a picture that a tool shows', async (model) => {
  const cwd = createFolder()
  const view = { name: 'view_image', input: { path: createPicture(cwd) }, expects: '' }
  await script(model, ...createTask(model, [[view]], '是红的'))
  check((await codex(model, '看图', { cwd })).includes('是红的'), 'the answer is not shown')
  if (!isBlind(model)) await checkSent(model, PICTURE_HEAD, 'the picture did not come')
})
await features('a sub-agent with a tool of its own', async (model) => {
  const spawn = { name: 'multi_agent_v1__spawn_agent', input: { message: '子任务：看看' }, expects: '' }
  // The sub-agent's last answer is not waited for: its command is the last thing that a command can see of it.
  const wait = execute('until [ -e done ]; do sleep 0.1; done; sleep 1', '')
  await script(
    model,
    ...createTask(model, [[spawn], [wait]], '都做完了', '主任务'),
    ...createTask(model, [[execute('touch done; echo wenqu-$((40 + 2))', 'wenqu-42')]], '子结果', '子任务'),
  )
  check((await codex(model, '主任务')).includes('都做完了'), 'the answer is not shown')
  await checkSent(model, 'wenqu-42', 'the output of the command did not come back')
  await checkSent(model, '子结果', "the sub-agent's answer did not come back")
})
await features('a conversation that is made shorter', async (model) => {
  const home = createHome('model_auto_compact_token_limit = 50000\n')
  const [call] = createTask(model, [[execute('echo wenqu-$((40 + 2))', 'wenqu-42')]], '')
  const long = { ...call, usage: createUsage(model, 90_000) }
  await script(model, long, { text: '摘要：看过渠水' }, { text: '接着看' })
  check((await codex(model, '运行一下', { home })).includes('接着看'), 'the answer is not shown')
  await checkSent(model, '摘要：看过渠水', 'the summary did not come back')
})
await features('a prompt that is too long is known as such', async (model) => {
  await script(model, createTooLong(model))
  const shown = await codex(model, '源头在哪里？').catch(String)
  check(shown.includes('ran out of room'), shown)
})
