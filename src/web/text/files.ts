/** Every word about files on their way to the server. */
export const filesText = {
  add: '上传文件',
  drop: '松开鼠标，添加文件',
  uploads: '上传队列',
  waiting: '等待上传',
  hashing: (percent: number) => `校验中 ${percent}%`,
  uploading: (percent: number) => `上传中 ${percent}%`,
  paused: (percent: number) => `已暂停 ${percent}%`,
  cut: (percent: number) => `网络已断开，恢复后从 ${percent}% 继续`,
  saving: '正在保存',
  pause: (name: string) => `暂停上传“${name}”`,
  resume: (name: string) => `继续上传“${name}”`,
  retry: (name: string) => `重新上传“${name}”`,
  cancel: (name: string) => `取消上传“${name}”`,
  dismiss: (name: string) => `移除“${name}”`,
  failed: (why: string) => `失败：${why}`,
}
