export const loadFailedText = {
  title: '这一部分没能加载',
  hint: '请检查网络后重试，页面上的内容都还在。',
  pageTitle: '页面没能加载',
  pageHint: '请检查网络后重试。',
  stale: '网页可能已经更新，刷新后就能使用，未发送的草稿会保留。',
  retry: '重试',
  reload: '刷新页面',
}
