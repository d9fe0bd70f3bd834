/** Every word of the web search before an answer. */
export const webSearchText = {
  searching: '正在搜索网页…',
  failed: '联网搜索失败，这次回答没有参考网页',
  nothing: '没有搜到相关的网页，这次回答没有参考网页',
  sources: '参考网页',
  count: (count: number) => `参考了 ${count} 个网页`,
  passages: '引用的原文',
  unsupported: (sentences: number, invalid: readonly number[]) =>
    [
      sentences ? `${sentences} 句话在资料中没有找到依据` : '',
      invalid.length ? `引用了不存在的编号 ${invalid.join('、')}` : '',
    ]
      .filter(Boolean)
      .join('，'),
  passageCount: (count: number) => `引用了 ${count} 处原文`,
}
