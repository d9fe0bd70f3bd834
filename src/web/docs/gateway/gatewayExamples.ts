import { gatewayCallList } from '#contract/gateway/calls.ts'
import type { GatewayCall } from '#contract/gateway/calls.ts'

/** A call of the gateway, with a command that makes it. */
export type GatewayExample = {
  key: string
  method: string
  path: string
  title: string
  about: string
  code: string
}

/** All calls of the gateway of the site at `origin`, in the order in which people need them. */
export const buildGatewayExamples = (origin: string): GatewayExample[] =>
  gatewayCallList.map(({ key, method, path, url, call }) => ({
    key,
    method,
    path,
    title: call.summary,
    about: call.description,
    code: buildCurlCommand(origin + url, method, call.example),
  }))

/** A shell command; inside single quotes no character of the JSON is special. */
function buildCurlCommand(
  url: string,
  method: string,
  { body, form = [], options }: NonNullable<GatewayCall['example']> = {},
): string {
  // Curl uses POST by itself when there is a body.
  const isBodyless = method === 'POST' && !body && !form.length
  const lines = [`curl ${isBodyless ? '-X POST ' : ''}${url}`, '  -H "Authorization: Bearer YOUR_API_KEY"']
  if (body) lines.push('  -H "Content-Type: application/json"', `  -d '${JSON.stringify(body)}'`)
  for (const field of form) lines.push(`  -F ${field}`)
  if (options) lines.push(`  ${options}`)
  return lines.join(' \\\n')
}
