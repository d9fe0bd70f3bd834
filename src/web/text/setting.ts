/** Every word of the settings. */
export const settingText = {
  title: '设置',
  chat: '个性化对话',
  chatHint: '告诉问渠你是谁、喜欢怎样的回答。启用后，它们会随你的每一次提问一起交给模型，并计入输入用量。',
  enabled: '在对话中启用',
  self_intro: '自我介绍',
  introHint: '你的职业、所在行业、关心的事，或回答时应当知道的背景。',
  introExample: '例如：我是一名小学语文老师，带三年级，经常需要备课和写评语。',
  reply_style: '回答风格',
  styleHint: '语气、长短、格式，或希望避免的说法。',
  styleExample: '例如：先给结论再解释；多举例子；不要客套话。',
  saved: '已保存',
  failed: '设置加载失败',
  signIn: '登录后可以修改设置',
  signInHint: '设置保存在你的账户里，在任何设备上都有效。',
}
