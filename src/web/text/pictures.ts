/** Every word about avatars and logos. */
export const picturesText = {
  choose: '选择图片',
  change: '更换',
  remove: '移除',
  hint: 'PNG、JPG、WebP 等图片，可以拖到这里；保存为 256×256。',
  crop: '调整图片',
  cropHint: '拖动图片选择位置，也可以用方向键移动。',
  cropArea: '图片位置',
  zoom: '缩放',
  saving: '正在保存',
  unreadable: '无法识别这张图片，请换一张 PNG、JPG、WebP 或 GIF 图片',
}
