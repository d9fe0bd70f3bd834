import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runProgram } from '../command.ts'
import { check, env, feature, reportVersion, script, upstreamBodies } from '../report.ts'

const PROGRAM = resolve('node_modules/.bin/codex')
const CODEX_HOME = mkdtempSync(join(tmpdir(), 'codex-home-'))
const PROVIDER = `
model_provider = "wenqu"
[model_providers.wenqu]
name = "Wenqu"
base_url = "${env.OPENAI_BASE_URL}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`
writeFileSync(join(CODEX_HOME, 'config.toml'), PROVIDER)

const createFolder = (): string => mkdtempSync(join(tmpdir(), 'codex-work-'))
const codex = (model: string, prompt: string, cwd = createFolder()): Promise<string> =>
  runProgram(
    PROGRAM,
    ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', model, prompt],
    { cwd, env: { CODEX_HOME } },
  )

/** The name under which the last request offers a tool. */
async function findTool(model: string, names: string): Promise<string> {
  const [body] = (await upstreamBodies(model)).slice(-1)
  const [, name] = new RegExp(`"name":"(${names})"`).exec(JSON.stringify(body)) ?? []
  check(name, `no tool ${names}`)
  return name
}

reportVersion((await runProgram(PROGRAM, ['--version'], { cwd: CODEX_HOME })).trim())
for (const model of [env.MODEL, env.MODEL_ANTHROPIC, env.MODEL_GEMINI]) {
  await feature(`an answer (${model})`, async () => {
    await script(model, { text: '渠水很清' })
    check((await codex(model, '源头在哪里？')).includes('渠水很清'), 'the answer is not shown')
  })
  await feature(`a command and its output (${model})`, async () => {
    const name = await findTool(model, 'exec_command|shell_command|shell')
    const cmd = 'echo wenqu-$((40 + 2))'
    const input = name === 'shell' ? { command: ['bash', '-lc', cmd] } : name === 'shell_command' ? { command: cmd } : { cmd }
    await script(
      model,
      { reasoning: '先看看', tool_calls: [{ id: 'call_1', name, arguments: JSON.stringify(input) }] },
      { text: '看过了' },
    )
    check((await codex(model, '运行一下')).includes('看过了'), 'the second answer is not shown')
    const [body] = (await upstreamBodies(model)).slice(-1)
    check(JSON.stringify(body).includes('wenqu-42'), 'the output of the command did not come back')
  })
  await feature(`a tool of a namespace (${model})`, async () => {
    const name = await findTool(model, 'multi_agent_v1__close_agent')
    await script(
      model,
      { tool_calls: [{ id: 'call_1', name, arguments: JSON.stringify({ target: 'nobody' }) }] },
      { text: '没有这个' },
    )
    check((await codex(model, '关掉它')).includes('没有这个'), 'the second answer is not shown')
    const [body] = (await upstreamBodies(model)).slice(-1)
    check(!/unsupported call/.test(JSON.stringify(body)), 'the program does not know the tool by this name')
  })
}
