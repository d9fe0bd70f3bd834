import type { Feedback } from '#contract/chat.ts'

/** Every word about single messages and their versions. */
export const messagesText = {
  actions: '消息操作',
  copy: '复制',
  quote: '引用',
  edit: '编辑问题',
  regenerate: '重新生成',
  otherModel: '换个模型重新生成',
  otherModelHint: '现在的回答会保留为一个版本',
  continueAnswer: '继续回答',
  exportWord: '导出为 Word',
  exportPicture: '导出为图片',
  remove: '删除这一轮',
  removeTitle: '删除这一轮对话？',
  removeText: '这个问题和它的全部回答将被删除，无法恢复。之后的对话会保留。',
  removeFailed: '删除失败，请重试',
  chooseFailed: '切换版本失败，请重试',

  shortage: (neededCoins: string, available: string, tokens: string) =>
    `这个问题连同对话历史约 ${tokens} Token，最短的回答也需要 ${neededCoins} 金币；可用余额 ${available} 金币。`,
  cheaperModel: '换个便宜的模型',
  cheaperModelHint: '同一个问题，由另一个模型来回答；最便宜的在前，单位为金币 / 百万 Token。',
  withoutHistory: '在新对话里问',
  recharge: '充值后继续',

  generalAnswer: '通用助手的回答',
  agentAnswer: '智能体的回答',
  otherAgentAnswer: '另一个智能体的回答',

  versions: '版本',
  older: '上一个版本',
  newer: '下一个版本',
  position: (index: number, total: number) => `${index}/${total}`,

  editLabel: '修改问题',
  editHint: '原来的问题和回答会保留为一个版本',
  cancel: '取消',
  send: '发送',

  thinking: '正在思考',
  thought: (ms: number | null) => {
    if (ms === null) return '已思考'
    const seconds = Math.round(ms / 1000)
    if (seconds < 1) return '思考了不到 1 秒'
    return seconds < 60 ? `思考了 ${seconds} 秒` : `思考了 ${Math.floor(seconds / 60)} 分 ${seconds % 60} 秒`
  },

  figures: '回答的用量与费用',
  tokens: (count: number) => `${count.toLocaleString('zh-CN')} Token`,
  coins: (amount: string) => `${amount} 金币`,
  attempts: '先后请求的平台',
  platform: '平台',
  time: '用时',
  firstWord: '首字',
  speed: '速度',
  charsPerSecond: (rate: string) => `${rate} 字/秒`,
  input: '输入',
  output: '输出',
  cached: '其中缓存',
  reasoning: '其中思考',
  total: '合计',
  counted: '平台未报告用量，由本站计数',
  continued: '这个回答经过续写：以上是各部分的总和，平台和其中的明细是最后一次的。',
  loadFailed: '读取失败，请重试',
  states: { answered: '已回答', failed: '失败', cut: '中断', aborted: '已停止' } as Record<string, string>,

  related: '推荐追问',
  relatedHint: '回答之后推荐三个可以接着问的问题，按用量计费',
  relatedLabel: '可以接着问',

  selection: '选中文字的操作',
  explain: '解释',
  translate: '翻译',
  explainPrompt: '请解释上面这段话。',
  translatePrompt: '请翻译上面这段话：中文译成英文，其他语言译成中文。',

  emptyPrompt: '上一条消息为空，请重新输入',
  noChatMessage: '服务端响应错误',
  offline: '网络已断开，问题已存为草稿。网络恢复后会自动发送',
  disconnected: '网络已断开，恢复后可以重新发送',
  notSent: '没能连上服务器，问题已存为草稿，可以重新发送',
  newSessionFailed: '开启新会话失败，请重试',
  lost: '与服务器的连接已断开，已保留收到的内容',
}

/** Every word about rating an answer. */
export const feedbackText = {
  up: '有帮助',
  down: '没有帮助',
  title: '哪里不好？',
  description: '都可以不填。你的评价只用来改进问渠，分享的链接里看不到。',
  reasons: '原因',
  reason: {
    inaccurate: '内容有误',
    incomplete: '不完整',
    off_topic: '答非所问',
    outdated: '信息过时',
    unclear: '不好懂',
    harmful: '有害或冒犯',
  } satisfies Record<Feedback['reasons'][number], string>,
  text: '补充说明',
  textHint: '比如哪一句不对，应该是什么',
  submit: '提交',
  skip: '跳过',
  done: '谢谢，已记下你的评价',
  failed: '评价没有保存，请重试',
}
