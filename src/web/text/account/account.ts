/** Every word about taking an account along and giving it up. */
export const accountText = {
  title: '账户数据',
  files: '管理文件',
  export: '导出数据',
  exportHint: '把资料、对话、智能体、文档清单、提示词、术语和收支明细打成一个 ZIP 下载。',
  exportFailed: '导出失败，请重试',
  fileName: (day: string) => `问渠数据-${day}.zip`,
  delete: '注销账户',
  deleteHint: '删除账户和其中的一切，不能撤销。',
  deleteTitle: '注销账户？',
  goes: '会立即删除',
  goesLines: [
    '个人资料与登录方式，所有浏览器退出登录',
    '对话、分享链接、智能体、文档、翻译、提示词和术语；上传的文件在一天内清除',
    '密钥与管理密钥，用它们的程序随即不能再调用',
  ],
  stays: '会保留',
  staysLines: [
    '账单与订单，按记账要求保留，不再与你的姓名、邮箱、手机号或微信相连',
    '邮箱、手机号或微信的加密摘要，只用来避免重复领取注册赠送的金币，无法还原',
  ],
  balance: (coins: string) => `余额 ${coins} 金币将作废，不能退回，也不能转给别人。`,
  organization: (name: string, coins: string) =>
    `如果组织「${name}」里只有你一人，它将随之解散，其余额 ${coins} 金币一并作废。`,
  understood: '我已了解，以上内容无法恢复',
  fresh: '只绑定了微信的账户，需要在登录后 15 分钟内注销。',
  confirm: '永久注销',
  failed: '注销失败，请重试',
}
