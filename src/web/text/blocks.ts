import { blockMessages } from '#contract/uploads.ts'

/** Formats numbers as people write them: `1、2、5–9`. */
function formatNumbers(numbers: readonly number[]): string {
  const runs: [first: number, last: number][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run && run[1] === number - 1) run[1] = number
    else runs.push([number, number])
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join('、')
}

const units = {
  page: '页',
  slide: '张幻灯片',
  sheet: '个工作表',
  section: '个部分',
  file: '个文件',
  image: '张图片',
}

/** Every word about documents. */
export const blocksText = {
  title: '文档',
  intro: '上传文件或粘贴网页链接，读出其中的文字和表格，再就内容提问，回答标明出处。',
  signIn: '登录后使用文档',
  signInHint: '上传 PDF、Office 文档、表格、网页等，随时查看和取用其中的内容。',
  storageLabel: '文件空间',
  storage: (usedSize: string, max: string, count: number) =>
    `文件空间：已用 ${usedSize}，共 ${max}（${count} 个文件）`,
  nearlyFull: '空间快满了',
  moreStorage: '提升等级',
  choose: '选择文件',
  chooseHint: '可以一次选择多个，也可以拖到页面上或直接粘贴',
  link: '网页链接',
  linkPlaceholder: 'https://',
  linkAdd: '读取网页',
  linkHint: '只留下正文，整理成干净的文章',
  list: '我的文档',
  empty: '还没有文档',
  emptyHint: '选择一个文件，读好后会出现在这里。',
  failed: '文档列表加载失败',
  more: '更多文档',
  back: '全部文档',
  gone: '文档不存在或已被删除',
  goneHint: '链接可能有误，或者文档已经删除。',
  loadFailed: '文档加载失败',
  detailFailed: blockMessages.detail_failed,
  menu: (name: string) => `“${name}”的更多操作`,
  download: '下载原件',
  openSource: '打开原网页',
  reread: '重新读取',
  rereadPages: (count: number) => `用图片识别重读这 ${count} 页（免费）`,
  rereadByModel: '用视觉模型重读',
  rereadByModelTitle: (pages: number | null) =>
    pages === null ? '用视觉模型重读这张图片' : `用视觉模型重读 ${pages} 页`,
  rereadByModelHint:
    '模型看着图片逐字转写，表格、手写和复杂的版面通常比图片识别准。每页调用一次，按所用模型计费。',
  rereadStart: '开始重读',
  visionModel: '视觉模型',
  rereadCost: (coins: string, pages: number) =>
    pages > 1 ? `${pages} 页大约 ${coins} 金币，以实际用量为准` : `大约 ${coins} 金币，以实际用量为准`,
  lessThanCoins: (coins: string) => `不到 ${coins}`,
  rereadCostPending: '正在估算费用…',
  rereadCostFailed: '没能估算费用，按实际用量计费',
  balance: (coins: string) => `余额 ${coins} 金币`,
  rereadFailed: (why: string) => `没能重新读取：${why}`,
  rereadStarted: '已开始重新读取',
  stop: '停止读取',
  remove: '删除',
  removeTitle: '删除这个文档？',
  removeText: (name: string) => `“${name}”和读出的全部内容将被删除，无法恢复。`,
  removed: '已删除',
  removeFailed: (why: string) => `没能删除：${why}`,

  reading: blockMessages.reading,
  readingShort: (donePages: number, total: number | null) =>
    total ? `读取中 ${donePages}/${total} 页` : '读取中',
  waiting: '等待读取',
  progress: (donePages: number, total: number | null) =>
    total ? `已读 ${donePages} / ${total} 页` : '正在读取',
  secondsLeft: (seconds: number) =>
    seconds < 60
      ? `大约还要 ${Math.max(1, Math.round(seconds))} 秒`
      : `大约还要 ${Math.ceil(seconds / 60)} 分钟`,
  readFailed: blockMessages.failed,
  ready: (chars: number) => `${chars.toLocaleString('zh-CN')} 字`,
  nothingRead: '没有读出文字',
  nothingReadHint: '这个文件里没有可以读出的文字，原件仍可下载。',

  original: '原件',
  text: '文字',
  view: '显示方式',
  contents: '读出的内容',
  document: '文档内容',
  sheets: '工作表',
  page: (n: number) => `第 ${n} 页`,
  pageOf: (n: number, total: number) => `第 ${n} 页，共 ${total} 页`,
  slide: (n: number) => `第 ${n} 张`,
  line: (n: number) => `第 ${n} 行起`,
  seek: (time: string) => `从 ${time} 开始播放`,
  pdfFailed: '原件没能显示，可以看读出的文字或下载原件',
  mediaFailed: '浏览器不能播放这种格式，可以下载后打开',

  chat: '关于文档的对话',
  chatTab: '对话',
  documentTab: '文档',
  tabs: '文档与对话',
  resize: '调整文档与对话的宽度',
  chatTitle: '问问这份文档',
  summary: '内容摘要',
  questions: '可以这样问',
  summaryNote: '摘要和问题由 AI 生成，只写一次',
  summaryWrite: (coins: string | null) => `生成摘要 · ${coins === null ? '免费' : `约 ${coins} 金币`}`,
  summaryWriting: '正在写摘要…',
  summaryOffer: '只写一次，连同三个可以问的问题',
  chatHint: '回答会标明出处，点编号可以看到原文。',
  suggestions: ['用几句话概括这份文档', '列出其中的要点和关键数字', '有哪些结论，依据在哪里？'],

  report: '读取报告',
  allRead: (total: number, unit: keyof typeof units) =>
    total > 1 || unit === 'page' ? `共 ${total} ${units[unit]}，全部读出` : '全部读出',
  /** Unread parts are pictures, password-protected files and the like. */
  readExcept: (count: number) => `正文全部读出，另有 ${count} 处没有读`,
  readHidden: (parts: number) => `全部读出，其中 ${parts} 处在文件里是隐藏的`,
  partRead: (readCount: number, total: number, unit: keyof typeof units) =>
    `共 ${total} ${units[unit]}，读出 ${readCount} ${units[unit]}`,
  blank: (numbers: readonly number[], unit: keyof typeof units) =>
    unit === 'image'
      ? '图片里没有文字'
      : `第 ${formatNumbers(numbers)} ${units[unit]}没有文字，可能是扫描件或图片`,
  garbled: (numbers: readonly number[], unit: keyof typeof units) =>
    `第 ${formatNumbers(numbers)} ${units[unit]}的文字是乱码`,
  recognised: (numbers: readonly number[], unit: keyof typeof units) =>
    unit === 'image'
      ? '文字由图片识别，可能有错字'
      : unit === 'file'
        ? '文字由语音识别，可能有错字'
        : `第 ${formatNumbers(numbers)} ${units[unit]}由图片识别，可能有错字`,
  encoding: (name: string) => `编码 ${name.toUpperCase()}`,
}
