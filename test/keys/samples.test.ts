import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { buildSamples } from '#web/accounts/keys/samples.ts'
import type { SampleName } from '#web/accounts/keys/samples.ts'
import { samplesText } from '#web/text/docs/samples.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()
let apiKey: string
beforeAll(async () => {
  world.upstream.script('scripted', { text: '你好，我在。' })
  const owner = await world.user()
  apiKey = (await owner.call('POST /api/api_keys', { body: { name: '示例' } })).raw_value!
})

/** Runs a program that a command reads from its standard input, and returns its output. */
async function runProgram(command: string, args: string[], program: string): Promise<string> {
  // Only the necessary variables: a key of the machine's own must not get into a sample.
  const child = spawn(command, args, { env: { PATH: process.env.PATH } })
  child.stdin.end(program)
  const [said, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  return said + complaint
}
const runNode = (program: string) => runProgram(process.execPath, ['--input-type=module', '-'], program)
const runShell = (program: string) => runProgram('/bin/sh', ['-s'], program)

function getSampleCode(name: SampleName, { model = 'scripted', origin = world.url } = {}): string[] {
  const sample = buildSamples({ origin, model, api_key: apiKey })[name]
  return 'codes' in sample ? sample.codes.map(({ code }) => code) : []
}

test.each(['openai_node', 'ai_sdk'] as const)('the sample %s gets an answer as it stands', async (name) => {
  const [program] = getSampleCode(name)
  expect(await runNode(program!)).toBe('你好，我在。\n')
})

test('the samples of Anthropic’s client ask for messages below the base, with the key as a Bearer token', async () => {
  // The scripted upstream speaks the protocol, so it can show the client's request.
  const [, program] = getSampleCode('anthropic', { origin: new URL(world.upstream.url).origin })
  expect(await runNode(program!)).toBe('你好，我在。\n')
  const { method, path, headers } = world.upstream.requests.at(-1)!
  expect(`${method} ${path}`).toBe('POST /api/v1/messages')
  expect(headers.authorization).toBe(`Bearer ${apiKey}`)
})

test('the command survives a shell, whatever the model is called', async () => {
  const [command] = getSampleCode('curl', { model: `it's "one" $HOME` })
  const said = await runShell(`curl() { printf '%s\\n' "$@"; }\n${command}`)
  const [url, , authorization, , type, , body] = said.split('\n')
  expect(url).toBe(`${world.url}/api/v1/chat/completions`)
  expect(authorization).toBe(`Authorization: Bearer ${apiKey}`)
  expect(type).toBe('Content-Type: application/json')
  expect(JSON.parse(body!)).toEqual({
    model: `it's "one" $HOME`,
    messages: [{ role: 'user', content: samplesText.question }],
  })
})

test('the environment of Claude Code names the outer base, the key and the model', async () => {
  const [unix] = getSampleCode('claude_code')
  const said = await runShell(`claude() { env | grep ^ANTHROPIC | sort; }\n${unix}`)
  expect(said.trim().split('\n')).toEqual([
    `ANTHROPIC_AUTH_TOKEN=${apiKey}`,
    `ANTHROPIC_BASE_URL=${world.url}/api`,
    'ANTHROPIC_DEFAULT_HAIKU_MODEL=scripted',
    'ANTHROPIC_MODEL=scripted',
  ])
})
