import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '#test/world/free-port.ts'
import { startPeer } from './processes.ts'
import type { BenchProcess } from './processes.ts'

// Other people's gateways in front of the benchmark's upstream. None of them keeps books here.

const FOLDER = fileURLToPath(new URL('../peers/portkey/', import.meta.url))
/** The key for peers that require one. */
const KEY = 'k'
const SERVER = `${FOLDER}node_modules/@portkey-ai/gateway/build/start-server.js`

/** Starts Portkey's gateway; installs it the first time. */
export async function startPortkey(upstream: string): Promise<BenchProcess> {
  if (!existsSync(SERVER)) {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: FOLDER })
  }
  const port = await findFreePort()
  return startPeer({
    name: 'Portkey 1.15.2',
    command: process.execPath,
    args: [SERVER, `--port=${port}`, '--headless'],
    url: `http://127.0.0.1:${port}`,
    headers: {
      authorization: 'Bearer k',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstream}/v1`,
    },
  })
}

/** Starts LiteLLM's proxy without a database: `command` is the `litellm` of a Python that has `litellm[proxy]`. */
export async function startLiteLlm(upstream: string, command: string): Promise<BenchProcess> {
  const port = await findFreePort()
  const config = join(mkdtempSync(join(tmpdir(), 'wenqu-litellm-')), 'config.json')
  const litellmParams = { model: 'openai/scripted-paid', api_base: `${upstream}/v1`, api_key: 'k' }
  writeFileSync(
    config,
    JSON.stringify({ model_list: [{ model_name: 'scripted-paid', litellm_params: litellmParams }] }),
  )
  return startPeer({
    name: 'LiteLLM, no database',
    command,
    args: ['--config', config, '--port', String(port), '--host', '127.0.0.1', '--num_workers', '1'],
    env: {
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      LITELLM_LOG: 'ERROR',
      DATABASE_URL: undefined,
      // LiteLLM does not start without a key.
      LITELLM_MASTER_KEY: KEY,
    },
    url: `http://127.0.0.1:${port}`,
    headers: { authorization: `Bearer ${KEY}` },
  })
}

/**
 * Reads `url,token,pid[,pid of the database]` of a running new-api: `url` with a channel to the upstream, a token, its process,
 * and its database's process where it has one.
 */
export function parseNewApi(text: string): BenchProcess {
  const [url = '', token = '', pid, databasePid] = text.split(',')
  return {
    name: 'new-api',
    pid: Number(pid),
    url,
    headers: { authorization: `Bearer ${token}` },
    database_pid: databasePid ? Number(databasePid) : null,
    data_dir: null,
    readDatabase: () => Promise.resolve({ wal_bytes: 0, row_writes: 0 }),
    stop: () => Promise.resolve(),
  }
}
