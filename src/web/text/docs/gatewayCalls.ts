/** What is said about each call of the gateway. */
export const gatewayCallsText = {
  completions: { title: '对话', about: 'OpenAI 的对话接口，支持图片输入、工具调用与结构化输出。' },
  messages: {
    title: '对话（Anthropic）',
    about: 'Anthropic 的 Messages 接口，所有对话模型都可以用它调用，不限于 Claude。',
  },
  responses: { title: '对话（Responses）', about: 'OpenAI 的 Responses 接口。' },
  models: { title: '模型列表', about: '这个密钥可以使用的模型，带价格、能力与上下文长度。' },
  background: { title: '后台回答的结果', about: '以 background 方式提问之后，用返回的 id 取结果。' },
  embeddings: { title: '向量', about: '把文字变成向量；input 可以是一段文字，也可以是一组。' },
  rerank: { title: '重排', about: '按与问题的相关程度给文档排序，应答的 results 里有序号与得分。' },
  images: { title: '生成图片', about: '应答的 data 里是图片的地址（url）或内容（b64_json）。' },
  speech: { title: '语音合成', about: '应答体就是音频。' },
  transcriptions: { title: '语音识别', about: '以表单上传音频文件，应答里是文字。' },
  question: '用一句话介绍你自己',
  sentence: '问渠那得清如许？为有源头活水来。',
  documents: ['北京是中国的首都。', '苹果是一种水果。'],
  documentQuestion: '中国的首都是哪里？',
  picture: '一条清澈的渠，水墨画',
}
