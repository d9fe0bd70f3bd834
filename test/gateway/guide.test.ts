import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { gatewayCallList, gatewayCalls } from '#contract/gateway/calls.ts'
import { AppError } from '#server/core/app-error.ts'
import { parseCatalogue } from '#server/llm/catalogue/models-file.ts'
import { createErrorResponse } from '#server/gateway/http/errors.ts'
import { buildGatewayExamples } from '#web/docs/gateway/gatewayExamples.ts'
import { gatewayErrors } from '#web/docs/gateway/gatewayErrors.ts'
import { useWorld } from '../world/use-world.ts'

// Checks the guide for programs (/docs/gateway) against the gateway that it describes.

const world = useWorld()

test.each(gatewayErrors)('errors of status $status are answered with it', ({ status, codes }) => {
  for (const { code, message } of codes) {
    const answer = createErrorResponse('openai', new AppError(code), '')
    expect(answer.status, code).toBe(status)
    expect(message).toBe(errors[code].message)
  }
})

test('every reason that a platform or a key gives is told, once', () => {
  const told = gatewayErrors.flatMap(({ codes }) => codes.map(({ code }) => code))
  const named = Object.keys(errors).filter((code) => /^upstream_|^key_(?!count)/.test(code))
  expect(told).toEqual(expect.arrayContaining(named))
  expect(new Set(told).size).toBe(told.length)
})

test('the command for a chat is one that the gateway answers', async () => {
  const owner = await world.user()
  const { raw_value } = await owner.call('POST /api/api_keys', { body: { name: '示例' } })
  const { code } = buildGatewayExamples(world.url).find(({ path }) => path === '/chat/completions')!
  const [url] = /http\S+/.exec(code)!
  const [, body] = /-d '(.*)'/.exec(code)!
  const answer = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${raw_value}`, 'Content-Type': 'application/json' },
    body: body!.replace('deepseek-chat', 'scripted'),
  })
  expect(answer.status).toBe(200)
})

test('the guide lists every call, in Chinese, and advises on every error', () => {
  const listed = buildGatewayExamples('')
  expect(listed.map(({ key }) => key)).toEqual(Object.keys(gatewayCalls))
  for (const { title, about } of listed) expect(`${title}${about}`).toMatch(/\p{Script=Han}/u)
  for (const { advice } of gatewayErrors) expect(advice).toMatch(/\p{Script=Han}/u)
})

test('every command names a model of the project’s file, of the type that the call is for', () => {
  const { models } = parseCatalogue(readFileSync('config/models.json', 'utf8'))
  for (const { key, call } of gatewayCallList) {
    const { example, model_type } = call
    const named = example?.body
      ? (example.body as { model?: string }).model
      : example?.form?.find((field) => field.startsWith('model='))?.slice('model='.length)
    if (named) expect([key, models.find(({ id }) => id === named)?.type]).toEqual([key, model_type ?? 'chat'])
  }
})

test('the bodies of all commands are JSON', () => {
  const bodies = buildGatewayExamples('').flatMap(({ code }) => /-d '(.*)'/.exec(code)?.[1] ?? [])
  expect(bodies).toHaveLength(
    gatewayCallList.filter(({ call }) => call.example && 'body' in call.example).length,
  )
  for (const body of bodies)
    expect(Object.keys(JSON.parse(body) as object).some((name) => /^(model|uuid)$/.test(name))).toBe(true)
})
