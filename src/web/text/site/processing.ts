export const processingText = {
  title: '正在准备，请稍候',
  hint: '好了会自动继续，不用刷新页面。',
  waiting: '仍在准备，每两秒看一次。',
  ready: '已经准备好，正在前往…',
  now: '现在就试试',
}
