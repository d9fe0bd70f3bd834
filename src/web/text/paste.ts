/** Every word about long texts that were pasted. */
export const pasteText = {
  chip: (lines: number) => `已粘贴 ${lines.toLocaleString('zh-CN')} 行`,
  size: (chars: number) => `${chars.toLocaleString('zh-CN')} 字符，将作为文字发送`,
  open: '查看粘贴的内容',
  remove: '移除粘贴的内容',
  more: (lines: number) => `展开全部 ${lines.toLocaleString('zh-CN')} 行`,
  less: '收起',
}
