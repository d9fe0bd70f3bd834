/** Every word of Home. */
export const homeText = {
  title: '中文 AI 助手',
  poem: ['问渠那得清如许', '为有源头活水来'],
  poet: '朱熹《观书有感》',
  heading: '想问的，问到源头',
  lead: '一个输入框，接上各家大模型和你自己的资料。回答一字一句流出来，每一处引用点得回原文，每一分花费算得清楚。',
  start: '开始对话',
  guest: (turns: number) => `不用登录，每天可以试用 ${turns} 次`,
  goOn: '继续对话',
  login: '登录或注册',
  signup: (coins: string) => `注册即得 ${coins} 金币`,

  demo: '现场试问',
  demoHint: '换你来问，真的会答：',
  demoQuestions: ['用一句话解释什么是活水', '帮我想三个读书会的名字', '把“水到渠成”译成英文'],
  demoOwn: '自己写一个问题',
  demoEmpty: '写下你的问题，回答就在这里',
  demoMore: '到对话页继续',

  run: {
    label: '一次真实回答的回放',
    note: (day: string, seconds: string) =>
      `${day} 在本产品里录下，${seconds} 秒，原速回放：检索、引用与流速照实，作答的是测试用的替身模型`,
    again: '再放一遍',
    sources: '出处',
  },

  models: {
    title: '一处来问，各家来答',
    lead: (models: number, makers: number) =>
      `本站现在接通了 ${makers} 家的 ${models} 个模型。挑一个、比几个，或者让同一个问题流向每一家。`,
    leadNone: (models: number, makers: number) =>
      `问渠认得 ${makers} 家的 ${models} 个模型，运营者填上密钥就能接通；现在由本机的演示模型作答。`,
    more: (count: number) => `${count} 个模型`,
    all: '全部模型与价格',
    compare: '几个模型一起答',
  },

  api: {
    title: '程序里，只改一个地址',
    lead: 'OpenAI 与 Anthropic 的客户端原样可用：把地址换成这里，密钥换成你的，其余一行不动。',
    label: '接入示例',
    changed: '换成这个地址',
    guide: '接入指南',
    reference: '查看接口文档',
    question: '你好',
  },

  prices: {
    title: '价钱摆在明处',
    lead: '没有月费门槛，用多少算多少。100 金币等于 1 元，账目精确到百万分之一金币。',
    example: (input: string, output: string) =>
      `举个例子：读一份合同，问它五个问题。五次一共读进 ${input} 个 Token，写出 ${output} 个，各家要花：`,
    exampleNone: '这些平台本站还没有接通，价格取自随产品发布的价格表。',
    label: '读一份合同问五个问题的花费',
    model: '模型',
    input: '输入，元 / 百万',
    output: '输出，元 / 百万',
    total: '这一回',
    yuan: (amount: string) => `${amount} 元`,
    free: '免费',
    rules: [
      { title: '只收一次', text: '重试、刷新、断线重连，同一个问题不会重复收费。' },
      { title: '没有内容不收费', text: '回答失败或还没出字就停下，冻结的金币全部退回。' },
      { title: '余额不会变负', text: '提问前先冻结这次最多可能的花费，结束后多退。' },
    ],
    all: '按自己的用量算一算',
    charging: '计费规则',
  },

  survives: {
    title: '断了，也接得上',
    lead: '回答是一股不断的水：看它的页面可以走开，它自己不会停。',
    items: [
      { when: '刷新页面', kept: '从已经写出的字接着往下流，一个字不少，也不会重复计费。' },
      { when: '换一台设备', kept: '手机、电脑打开同一段对话，看到同一份正在写的回答。' },
      { when: '断网再连', kept: '草稿和提问都留着，连上以后自动续上。' },
      { when: '服务被强行终止', kept: '已经收到的内容都在，重启后标明中断，可以一键重答。' },
      { when: '平台出了故障', kept: '还没出字时自动改走另一家平台，你只会看到回答。' },
      { when: '按了停止', kept: '一秒之内停住，只算已经写出的部分。' },
    ],
  },

  stats: {
    title: '今日水位',
    requests: '今日请求',
    tokens: '今日 Token',
    amounts: '今日金币',
    models: '近七天用得最多',
    growth: (rate: number) => `比昨天 ${rate >= 0 ? '+' : '−'}${Math.abs(Math.round(rate))}%`,
  },

  footer: '全部页面',
  footerGroups: { use: '使用', programs: '开发', site: '站点' },
}
