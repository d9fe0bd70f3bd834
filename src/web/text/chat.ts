/** Every word of the chat. */
export const chatText = {
  title: '对话',
  composerLabel: '给问渠发送消息',
  agentLabel: '给智能体发送消息',
  widgetLabel: '输入你的问题',
  send: '发送',
  stop: '停止回答',
  queue: '排队发送',
  prompts: '提示词库',
  attach: '添加文件或图片',
  record: '语音提问',
  webSearch: '联网搜索',
  thinking: '深度思考',
  share: '分享会话',
  disclaimer: '内容由 AI 生成，请核实重要信息',
  tooLong: (max: number) => `内容太长，最多 ${max.toLocaleString('zh-CN')} 个字符`,

  greeting: (hour: number, name: string | null) => {
    const time =
      hour < 5 ? '夜深了' : hour < 12 ? '早上好' : hour < 14 ? '中午好' : hour < 18 ? '下午好' : '晚上好'
    return name ? `${time}，${name}` : time
  },
  greetingLine: '问渠那得清如许——今天想从哪里开始？',
  examples: [
    {
      icon: 'explain' as const,
      title: '讲明白一个概念',
      line: '从直觉到公式，一步步来',
      prompt: '请从直觉、公式和例子三个层次，讲清楚什么是注意力机制。',
    },
    {
      icon: 'write' as const,
      title: '写一篇短文',
      line: '定好语气，从提纲到成稿',
      prompt: '请以“雨后的城市”为题写一篇 600 字的散文，先给出提纲，再写成稿，语气平静克制。',
    },
    {
      icon: 'translate' as const,
      title: '中英互译',
      line: '忠实原意，说明取舍',
      prompt: '请把下面这段话译成自然的英文，并说明两处译法的取舍：\n\n问渠那得清如许？为有源头活水来。',
    },
    {
      icon: 'code' as const,
      title: '写一段代码',
      line: '附注释与边界情况',
      prompt: '请用 Python 写一个读取 CSV 并按列分组求和的函数，附中文注释、边界情况和一个测试。',
    },
  ],

  copy: '复制',

  copyAnswer: '复制回答',
  copyQuestion: '复制问题',
  regenerate: '重新生成',
  stopped: '已停止',
  failed: '回答未完成',
  interrupted: '回答已中断',
  toLatest: '到底部',
  newMessages: (count: number) => `${count} 条新消息`,
  newChars: (count: number) => `${count.toLocaleString('zh-CN')} 个新字`,
  typing: '正在回答',
  answered: '回答完成',
  question: '你的问题',
  answer: '问渠的回答',
  messages: '消息',
  printedPart: '更早的消息没有载入，请检查网络后重新打印',
  loadFailed: '消息加载失败',
  gone: '这个会话不存在或已被删除',
  signInToSeeHint: '登录后才能查看这个会话',
  retry: '重试',
  newSession: '新对话',
  signIn: '登录后继续',
  resend: '重新发送',

  modelPicker: '选择模型',
  localModel: '本地演示模型',
  modelsFailed: '模型列表加载失败',

  settings: '会话设置',
}
