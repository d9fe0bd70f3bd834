import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { translateMessages } from '#contract/translate/messages.ts'
import { blockMessages, checkUpload, taskMessages, uploadMessages } from '#contract/uploads.ts'
import { organizationText } from '#web/text/account/organization.ts'
import { signInText } from '#web/text/account/signIn.ts'
import { apiText } from '#web/text/api.ts'
import { authText } from '#web/text/auth.ts'
import { historyText } from '#web/text/history/history.ts'
import { keysText } from '#web/text/keys.ts'
import { messagesText } from '#web/text/messages.ts'
import { calculatorText } from '#web/text/models.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'
import { sharesText } from '#web/text/shares.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'

/** A message, the text that holds it, the file where it is shown or thrown, and the words by which that file names the text. */
type Row = [message: string, held: string, file: string, use: string]

const ofErrors = (message: string, code: keyof typeof errors, file: string): Row => [
  message,
  errors[code].message,
  file,
  `'${code}'`,
]

// Section 8 of the specification, with what sections 4 to 6 give word by word; what it gives in English stands here in the
// product's words. That all invitations were sent says the answer of the call (test/organizations).
const rows: Row[] = [
  [
    '你的浏览器不支持此复制功能请手动复制!',
    uiText.copyUnsupported,
    'src/web/ui/clipboard.ts',
    'uiText.copyUnsupported',
  ],
  ['复制失败，请手动复制', uiText.copyFailed, 'src/web/ui/clipboard.ts', 'uiText.copyFailed'],
  ['复制成功,快去分享给好友吧!', sharesText.copied, 'src/web/shares/copyLink.ts', 'sharesText.copied'],
  ofErrors('上一条消息为空，请重新输入', 'empty_prompt', 'src/server/conversations/turns/create-turn.ts'),
  ofErrors('服务端响应错误', 'internal', 'src/server/core/app-error.ts'),
  ['切换会话失败', historyText.switchFailed, 'src/web/conversations/sessions.ts', 'historyText.switchFailed'],
  ['删除会话失败', historyText.deleteFailed, 'src/web/conversations/sessions.ts', 'historyText.deleteFailed'],
  [
    '开启新会话失败，请重试',
    messagesText.newSessionFailed,
    'src/web/conversations/ask.ts',
    'messagesText.newSessionFailed',
  ],
  [
    '创建智能体子会话失败，请重试',
    historyText.forkFailed,
    'src/web/conversations/sessions.ts',
    'historyText.forkFailed',
  ],
  [
    '保存会话设置失败',
    sessionSettingsText.saveFailed,
    'src/web/session-settings/settings.ts',
    'sessionSettingsText.saveFailed',
  ],
  [
    '服务端计算失败，请重试',
    calculatorText.failed,
    'src/web/models/calculator/CostResults.tsx',
    'calculatorText.failed',
  ],
  ['微信登录失败，请重试', authText.wechatFailed, 'src/web/pages/AuthLogin.tsx', 'authText.wechatFailed'],
  [
    '获取验证码失败，请检查网络是否正常',
    authText.sendFailed,
    'src/web/auth/signIn.ts',
    'authText.sendFailed',
  ],
  ofErrors('获取验证码失败，请检查网络是否正常', 'code_send_failed', 'src/server/auth/codes.ts'),
  ['登录失败，请检查网络是否正常', authText.loginFailed, 'src/web/auth/signIn.ts', 'authText.loginFailed'],
  [
    '退出信登录失败，请重试',
    shellText.logoutFailed,
    'src/web/shell/accountMenuItems.tsx',
    'shellText.logoutFailed',
  ],
  [
    '创建密钥失败：原因',
    keysText.createFailed('原因'),
    'src/web/keys/ApiKeyForm.tsx',
    'keysText.createFailed',
  ],
  [
    '更新密钥失败：原因',
    keysText.updateFailed('原因'),
    'src/web/keys/ApiKeyForm.tsx',
    'keysText.updateFailed',
  ],
  ofErrors('请求参数错误，请检查无误后再提交', 'invalid_input', 'src/server/core/request.ts'),
  ofErrors('请求参数错误，请检查无误后再提交', 'bad_request', 'src/server/core/request.ts'),
  ['网络出错了，刷新重试下', apiText.network, 'src/web/core/api.ts', 'apiText.network'],
  ['网络出错了，刷新重试下', shellText.pageFailed, 'src/web/main.tsx', 'shellText.pageFailed'],
  [
    '绑定失败，请检查网络是否正常',
    signInText.bindFailed,
    'src/web/setting/BindDialog.tsx',
    'text.bindFailed',
  ],
  ...(['createFailed', 'removeFailed', 'inviteFailed'] as const).map((key): Row => [
    {
      createFailed: '创建组织失败，请重试',
      removeFailed: '移除成员失败，请重试',
      inviteFailed: '邀请成员失败，请重试',
    }[key],
    organizationText[key],
    'src/web/organization/organizationCalls.ts',
    `text.${key}`,
  ]),

  [
    '用户已退出登录状态，请登录后使用该功能',
    translateMessages.signed_out,
    'src/web/translate/text/translateText.ts',
    'translateMessages.signed_out',
  ],
  [
    '请求频率过高，请稍后再试',
    translateMessages.too_many,
    'src/web/translate/text/translateText.ts',
    'translateMessages.too_many',
  ],
  [
    '服务端错误，请重试',
    translateMessages.server_error,
    'src/web/translate/text/translateText.ts',
    'translateMessages.server_error',
  ],
  [
    '请求参数错误，请检查无误后再提交',
    translateMessages.bad_request,
    'src/web/translate/text/translateText.ts',
    'translateMessages.bad_request',
  ],
  [
    '获取上传凭证失败，请重试',
    uploadMessages.credential_failed,
    'src/contract/errors.ts',
    'uploadMessages.credential_failed',
  ],
  ofErrors('获取上传凭证失败，请重试', 'credential_failed', 'src/server/files/remote-store.ts'),
  [
    '文件上传失败，请重试',
    uploadMessages.upload_failed,
    'src/web/files/uploadQueue.ts',
    'uploadMessages.upload_failed',
  ],
  [
    '文件保存失败，请重试',
    uploadMessages.save_failed,
    'src/web/files/uploadFile.ts',
    'uploadMessages.save_failed',
  ],
  [
    '获取任务列表失败，请刷新重试',
    taskMessages.list_failed,
    'src/web/tasks/TaskList.tsx',
    'taskMessages.list_failed',
  ],
  [
    '重试任务失败，请刷新重试',
    taskMessages.retry_failed,
    'src/web/tasks/taskCalls.ts',
    'taskMessages.retry_failed',
  ],
  [
    '删除任务失败，请刷新重试',
    taskMessages.delete_failed,
    'src/web/tasks/taskCalls.ts',
    'taskMessages.delete_failed',
  ],
  ['任务正在执行，请稍后再试', taskMessages.running, 'src/web/tasks/taskCalls.ts', 'taskMessages.running'],
  ['任务执行失败', taskMessages.failed, 'src/web/tasks/taskCalls.ts', 'taskMessages.failed'],
  [
    '预览任务结果失败，请刷新重试',
    taskMessages.preview_failed,
    'src/web/tasks/taskCalls.ts',
    'taskMessages.preview_failed',
  ],
  [
    '文件正在读取识别中，请稍后再试',
    blockMessages.reading,
    'src/web/text/blocks.ts',
    'blockMessages.reading',
  ],
  ['文件读取失败', blockMessages.failed, 'src/web/text/blocks.ts', 'blockMessages.failed'],
  ['获取内容详情失败', blockMessages.detail_failed, 'src/web/text/blocks.ts', 'blockMessages.detail_failed'],
  [
    '有未完成的任务正在处理，请稍候',
    uploadMessages.unfinished,
    'src/web/files/uploadQueue.ts',
    'uploadMessages.unfinished',
  ],

  ofErrors('用户已退出登录状态，请登录后切换', 'login_expired', 'src/server/chat/session-routes.ts'),
  ofErrors('请先选择智能体', 'agent_required', 'src/server/conversations/assistant.ts'),
  [
    '纯文本/表格文件大小不能超过2M',
    uploadMessages.text_too_large,
    'src/contract/uploads.ts',
    'uploadMessages.text_too_large',
  ],
  [
    '普通用户上传文件大小不能超过50M，请提升用户等级解除限制',
    checkUpload('pro-0', { name: '书.pdf', type: 'application/pdf', size: 2 ** 20 * 51 }) ?? '',
    'src/web/files/uploadQueue.ts',
    'checkUpload(',
  ],
]

test.each(rows)('%s', (message, held, file, use) => {
  expect(held).toBe(message)
  expect(readFileSync(file, 'utf8').includes(use), `${file} has no ${use}`).toBe(true)
})
