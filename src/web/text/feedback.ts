import type { Feedback } from '#contract/chat.ts'

/** Every word about what a reader thinks of an answer. */
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
