import { expect, test } from 'vitest'
import { createLocalAnswer, createLocalQuestion } from '#web/conversations/messages.ts'
import { exportText } from '#web/text/export.ts'
import { toMarkdown } from './textFiles.ts'

const question = createLocalQuestion('源头在哪里？', 'deepseek-chat')
const answer = { ...createLocalAnswer('deepseek-chat'), text: '在' }

test.each([
  ['done', null, ''],
  ['cancelled', null, exportText.stopped],
  ['failed', '模型服务出错', exportText.failedAnswer('模型服务出错')],
  ['interrupted', null, exportText.failedAnswer('interrupted')],
] as const)('the file of an answer that is %s (%s) says so below it', (status, error, note) => {
  const messages = [question, { ...answer, status, error }]
  const [, ...parts] = toMarkdown({ title: '源头', session: null, messages }).split('## ')
  expect(parts).toEqual([
    `${exportText.question}\n\n源头在哪里？\n\n`,
    `${exportText.answer}（deepseek-chat）\n\n在\n${note && `\n${note}\n`}`,
  ])
})
