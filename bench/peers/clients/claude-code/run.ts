import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runProgram } from '../command.ts'
import { check, env, feature, reportVersion, script, upstreamBodies } from '../report.ts'

const PROGRAM = resolve('node_modules/.bin/claude')
const CLAUDE_CONFIG_DIR = mkdtempSync(join(tmpdir(), 'claude-home-'))

const claude = (model: string, args: string[]): Promise<string> =>
  runProgram(PROGRAM, ['-p', '--model', model, ...args], {
    cwd: mkdtempSync(join(tmpdir(), 'claude-work-')),
    env: {
      CLAUDE_CONFIG_DIR,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  })

reportVersion((await runProgram(PROGRAM, ['--version'], { cwd: CLAUDE_CONFIG_DIR })).trim())
for (const model of [env.MODEL, env.MODEL_ANTHROPIC, env.MODEL_GEMINI]) {
  await feature(`an answer (${model})`, async () => {
    await script(model, { text: '渠水很清' })
    check((await claude(model, ['源头在哪里？'])).includes('渠水很清'), 'the answer is not shown')
  })
  await feature(`a command and its output (${model})`, async () => {
    const input = JSON.stringify({ command: 'echo wenqu-$((40 + 2))', description: 'add' })
    await script(
      model,
      { reasoning: '先看看', text: '我来运行', tool_calls: [{ id: 'toolu_1', name: 'Bash', arguments: input }] },
      { text: '看过了' },
    )
    const shown = await claude(model, ['--allowedTools', 'Bash(echo:*)', '--', '运行一下'])
    check(shown.includes('看过了'), 'the second answer is not shown')
    const bodies = await upstreamBodies(model)
    check(JSON.stringify(bodies.slice(-3)).includes('wenqu-42'), 'the output of the command did not come back')
  })
}
