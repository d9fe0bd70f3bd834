/** Messages about translations (specification sections 4 and 8). */
export const translateMessages = {
  /** Stands in the place of the result until its first words. */
  translating: '正在翻译，请稍候...',
  from_memory: '来自翻译记忆，没有收费',
  task_started: '已开始翻译，可以在任务中查看进度',
  signed_out: '用户已退出登录状态，请登录后使用该功能',
  too_many: '请求频率过高，请稍后再试',
  server_error: '服务端错误，请重试',
  /** Shown where the server named nothing to attach to. */
  bad_request: '请求参数错误，请检查无误后再提交',
} as const

/** Problems of the translation of a text, the worst first, and the messages for people. */
export const translationProblems = {
  missing: '模型没有给出译文，保留原文',
  too_long: '这段太长，超过模型一次能翻译的长度，保留原文',
  untranslated: '模型没有翻译这段，保留原文',
  placeholders: '译文缺少或改动了占位符，保留原文',
  tags: '译文的格式标记与原文不一致，格式可能有出入',
  numbers: '译文的数字与原文不一致，请核对',
  links: '译文的网址或邮箱与原文不一致，请核对',
  length: '译文的长度与原文相差太大，请核对',
  terms: '译文没有使用术语表的译法',
} as const
export type TranslationProblem = keyof typeof translationProblems
