/** Every word of the page that a mail with an invitation links to. */
export const invitationRefusalText = {
  title: '组织邀请的邮件',
  ask: '不再接收组织邀请？',
  askHint: '确认后，无论谁邀请，问渠都不再向这个邮箱发送组织邀请。验证码等邮件不受影响。',
  refuse: '不再接收',
  refused: '已停止发送',
  refusedHint: '以后不会再有组织邀请发到这个邮箱。邀请你的人不会知道。',
  allow: '恢复接收',
  allowed: '已恢复接收组织邀请',
  failed: '没有保存成功，请重试',
  home: '去问渠首页',
}
