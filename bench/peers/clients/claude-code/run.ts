import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PICTURE_HEAD, checkResults, checkSent, createPicture, createTask, createTooLong, isBlind } from '../agents.ts'
import type { Step } from '../agents.ts'
import { runProgram } from '../command.ts'
import { check, features, reportVersion, script, upstreamBodies } from '../report.ts'

const PROGRAM = resolve('node_modules/.bin/claude')
const CLAUDE_CONFIG_DIR = mkdtempSync(join(tmpdir(), 'claude-home-'))
const createFolder = (): string => mkdtempSync(join(tmpdir(), 'claude-work-'))

const claude = (model: string, args: string[], cwd = createFolder()): Promise<string> =>
  runProgram(PROGRAM, ['-p', '--model', model, ...args], {
    cwd,
    env: {
      CLAUDE_CONFIG_DIR,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  })
const ALLOWED = ['--allowedTools', 'Bash,Read,Write,Edit,ToolSearch,NotebookEdit,Agent', '--']

const bash = (command: string, expects: string): Step => ({
  name: 'Bash',
  input: { command, description: 'a step' },
  expects,
})

/** 30 calls in 25 turns: files are written, read, edited, shown, and read twice at once. */
const createSteps = (cwd: string): Step[][] =>
  Array.from({ length: 5 }, (_, round) => {
    const file_path = join(cwd, `file-${round}.txt`)
    const [first, second] = [`渠水-${round}`, `活水-${round}`]
    return [
      [{ name: 'Write', input: { file_path, content: `${first}\n` }, expects: `file-${round}` }],
      [{ name: 'Read', input: { file_path }, expects: first }],
      [{ name: 'Edit', input: { file_path, old_string: first, new_string: second }, expects: `file-${round}` }],
      [bash(`cat file-${round}.txt`, second)],
      [bash(`echo wenqu-$((${round} + 40))`, `wenqu-4${round}`), { name: 'Read', input: { file_path }, expects: second }],
    ]
  }).flat()

reportVersion((await runProgram(PROGRAM, ['--version'], { cwd: CLAUDE_CONFIG_DIR })).trim())
await features('an answer', async (model) => {
  await script(model, { text: '渠水很清' })
  check((await claude(model, ['源头在哪里？'])).includes('渠水很清'), 'the answer is not shown')
})
await features('a command and its output', async (model) => {
  const steps = [[bash('echo wenqu-$((40 + 2))', 'wenqu-42')]]
  await script(model, ...createTask(model, steps, '看过了'))
  check((await claude(model, [...ALLOWED, '运行一下'])).includes('看过了'), 'the second answer is not shown')
  await checkResults(model, steps)
})
await features('a task of 30 calls, and a later question', async (model) => {
  const cwd = createFolder()
  const steps = createSteps(cwd)
  await script(model, ...createTask(model, steps, '都做完了'), { text: '做了三十步' })
  check((await claude(model, [...ALLOWED, '一步一步做'], cwd)).includes('都做完了'), 'the last answer is not shown')
  await checkResults(model, steps)
  check((await claude(model, ['-c', '做了几步？'], cwd)).includes('做了三十步'), 'the later answer is not shown')
  await checkResults(model, steps)
})
await features('calls at once whose results come in another order', async (model) => {
  const steps = [[bash('sleep 1; echo wenqu-$((40 + 1))', 'wenqu-41'), bash('echo wenqu-$((40 + 2))', 'wenqu-42')]]
  await script(model, ...createTask(model, steps, '看过了'))
  check((await claude(model, [...ALLOWED, '运行一下'])).includes('看过了'), 'the second answer is not shown')
  await checkResults(model, steps)
})
await features('a picture that a tool reads', async (model) => {
  const cwd = createFolder()
  const read = { name: 'Read', input: { file_path: createPicture(cwd) }, expects: '' }
  await script(model, ...createTask(model, [[read]], '是红的'))
  check((await claude(model, [...ALLOWED, '看图'], cwd)).includes('是红的'), 'the answer is not shown')
  if (!isBlind(model)) await checkSent(model, PICTURE_HEAD, 'the picture did not come')
})
await features('tools that are found by a search', async (model) => {
  const cwd = createFolder()
  const notebook_path = join(cwd, 'a.ipynb')
  const cell = { cell_type: 'code', id: 'c1', source: ['1'], metadata: {}, outputs: [], execution_count: null }
  writeFileSync(notebook_path, JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }))
  const steps = [
    [{ name: 'Read', input: { file_path: notebook_path }, expects: 'c1' }],
    [{ name: 'ToolSearch', input: { query: 'select:NotebookEdit' }, expects: 'NotebookEdit' }],
    [{ name: 'NotebookEdit', input: { notebook_path, cell_id: 'c1', new_source: '渠水' }, expects: '渠水' }],
  ]
  await script(model, ...createTask(model, steps, '改好了'))
  check((await claude(model, [...ALLOWED, '改笔记本'], cwd)).includes('改好了'), 'the answer is not shown')
  await checkResults(model, steps)
  if (model.startsWith('claude')) return
  const sent = JSON.stringify(await upstreamBodies(model))
  check(!sent.includes('DeferredToolPlaceholder'), 'a tool that nothing refers to is offered')
})
await features('a sub-agent with a tool of its own', async (model) => {
  const input = { description: 'look', prompt: '子任务：看看', subagent_type: 'general-purpose' }
  const parent = [[{ name: 'Agent', input, expects: '' }]]
  const child = [[bash('echo wenqu-$((40 + 2))', 'wenqu-42')]]
  await script(
    model,
    ...createTask(model, parent, '子任务做完了', '主任务'),
    ...createTask(model, child, '子结果', '子任务'),
  )
  check((await claude(model, [...ALLOWED, '主任务'])).includes('子任务做完了'), 'the answer is not shown')
  await checkSent(model, 'wenqu-42', 'the output of the command did not come back')
  await checkSent(model, '子结果', "the sub-agent's answer did not come back")
})
await features('a conversation that is made shorter', async (model) => {
  const cwd = createFolder()
  const steps = [[bash('echo wenqu-$((40 + 2))', 'wenqu-42')]]
  await script(
    model,
    ...createTask(model, steps, '看过了'),
    { text: '<summary>看过渠水</summary>' },
    { text: '接着看' },
  )
  await claude(model, [...ALLOWED, '运行一下'], cwd)
  await claude(model, ['-c', '/compact'], cwd)
  check((await claude(model, ['-c', '还有吗？'], cwd)).includes('接着看'), 'the later answer is not shown')
  await checkSent(model, '看过渠水', 'the summary did not come back')
})
await features('a prompt that is too long is made shorter', async (model) => {
  const [call = {}] = createTask(model, [[bash('echo wenqu-$((40 + 2))', 'wenqu-42')]], '')
  await script(model, call, createTooLong(model), { text: '<summary>看过渠水</summary>' }, { text: '接着看' })
  check((await claude(model, [...ALLOWED, '运行一下'])).includes('接着看'), 'the answer is not shown')
  await checkSent(model, '看过渠水', 'the summary did not come back')
})
