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
  heicUnreadable:
    '这个浏览器打不开 HEIC 照片，请转成 JPG 或 PNG 后再上传（iPhone 可在“设置 - 相机 - 格式”里选“兼容性最佳”）',
  tiffUnreadable: '这个浏览器打不开 TIFF 图片，请另存为 PNG、JPG 或 PDF 后再上传',
  tiffPages: '多页的 TIFF 请另存为 PDF 后再上传，否则只有第一页',
  pictureUnreadable: '这个浏览器打不开这张图片，请转成 JPG 或 PNG 后再上传',
  pause: (name: string) => `暂停上传“${name}”`,
  resume: (name: string) => `继续上传“${name}”`,
  retry: (name: string) => `重新上传“${name}”`,
  cancel: (name: string) => `取消上传“${name}”`,
  dismiss: (name: string) => `移除“${name}”`,
  failed: (why: string) => `失败：${why}`,
}
