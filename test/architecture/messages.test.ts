import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * Messages of section 8 of the specification, and the files that show or throw each. Those that it gives in English stand here in
 * the product's words. Other tests cover the messages that the server sends: an empty prompt (test/chat), sessions without a
 * login or an agent (test/conversations), limits of files (test/files), and that all invitations were sent (test/organizations).
 */
const SHOWN: [message: string, ...files: string[]][] = [
  ['你的浏览器不支持此复制功能请手动复制!', 'src/web/ui/clipboard.ts'],
  ['复制失败，请手动复制', 'src/web/ui/clipboard.ts'],
  ['复制成功,快去分享给好友吧!', 'src/web/ui/copyLink.ts'],
  ['服务端响应错误', 'src/server/core/app-error.ts'],
  ['切换会话失败', 'src/web/conversations/sessions.ts'],
  ['删除会话失败', 'src/web/conversations/sessions.ts'],
  ['开启新会话失败，请重试', 'src/web/conversations/ask.ts'],
  ['创建智能体子会话失败，请重试', 'src/web/conversations/sessions.ts'],
  ['保存会话设置失败', 'src/web/conversations/session-settings/settings.ts'],
  ['服务端计算失败，请重试', 'src/web/models/calculator/CostResults.tsx'],
  ['微信登录失败，请重试', 'src/web/pages/AuthLogin.tsx'],
  [
    '获取验证码失败，请检查网络是否正常',
    'src/web/accounts/auth/signIn.ts',
    'src/server/accounts/auth/codes.ts',
  ],
  ['登录失败，请检查网络是否正常', 'src/web/accounts/auth/signIn.ts'],
  ['退出信登录失败，请重试', 'src/web/shell/logout.ts'],
  ['创建 API Key 失败，请重试', 'src/web/accounts/keys/keyCalls.ts'],
  ['更新 API Key 失败，请重试', 'src/web/accounts/keys/keyCalls.ts'],
  [
    '请求参数错误，请检查无误后再提交',
    'src/server/core/request/body.ts',
    'src/web/assistants/translate/text/translateText.ts',
  ],
  ['网络出错了，刷新重试下', 'src/web/core/api.ts', 'src/web/main.tsx'],
  ['绑定失败，请检查网络是否正常', 'src/web/accounts/setting/BindDialog.tsx'],
  ['创建组织失败，请重试', 'src/web/accounts/organizations/organizationCalls.ts'],
  ['移除成员失败，请重试', 'src/web/accounts/organizations/organizationCalls.ts'],
  ['邀请成员失败，请重试', 'src/web/accounts/organizations/organizationCalls.ts'],
  ['用户已退出登录状态，请登录后使用该功能', 'src/web/assistants/translate/text/translateText.ts'],
  ['请求频率过高，请稍后再试', 'src/web/assistants/translate/text/translateText.ts'],
  ['服务端错误，请重试', 'src/web/assistants/translate/text/translateText.ts'],
  [
    '获取上传凭证失败，请重试',
    'src/contract/errors.ts',
    'src/server/files/remote-store.ts',
    'src/web/files/objectStore.ts',
  ],
  ['文件上传失败，请重试', 'src/web/files/uploadQueue.ts'],
  ['文件保存失败，请重试', 'src/web/files/uploadFile.ts'],
  ['获取任务列表失败，请刷新重试', 'src/web/tasks/TaskList.tsx'],
  ['重试任务失败，请刷新重试', 'src/web/tasks/taskCalls.ts'],
  ['删除任务失败，请刷新重试', 'src/web/tasks/taskCalls.ts'],
  ['任务正在执行，请稍后再试', 'src/web/tasks/taskCalls.ts'],
  ['任务执行失败', 'src/web/tasks/taskCalls.ts'],
  ['预览任务结果失败，请刷新重试', 'src/web/tasks/taskCalls.ts'],
  ['文件正在读取识别中，请稍后再试', 'src/web/text/blocks.ts'],
  ['文件读取失败', 'src/web/text/blocks.ts'],
  ['获取内容详情失败', 'src/web/text/blocks.ts'],
  ['有未完成的任务正在处理，请稍候', 'src/web/files/uploadQueue.ts', 'src/web/files/embedLink.ts'],
]

const texts = globSync('src/{contract,web/text}/**/*.ts')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

/** Finds the product's names for a message: `name: 'message'`, a function that builds it, or an error of the contract. */
function findNames(message: string): string[] {
  const held = new RegExp(
    `(\\w+): (?:\\(.*\\) => )?(?:\\{ status: \\d+, message: )?['\`]${message}(?:['}]|\\$)`,
    'g',
  )
  return [...texts.matchAll(held)].map(([, name = '']) => name)
}

test.each(SHOWN)('%s is among the texts, and named where it is shown', (message, ...files) => {
  const names = findNames(message)
  expect(names).not.toEqual([])
  const use = new RegExp(names.map((name) => `(?:\\w*[tT]ext|\\w+Messages)\\.${name}\\b|'${name}'`).join('|'))
  for (const file of files) expect(readFileSync(file, 'utf8'), file).toMatch(use)
})
