/** Every word about files beside a question. */
export const attachmentsText = {
  attachments: '已添加的文件',
  tooMany: (max: number) => `一次最多添加 ${max} 个文件`,
  pastedName: '粘贴的文字.txt',
  ready: (chars: number) => `已就绪 · ${chars.toLocaleString('zh-CN')} 字`,
  readyPicture: '已就绪 · 图片',
  readySoFar: (state: string) => `${state}，已可提问`,
  remove: (name: string) => `移除“${name}”`,
}

/** Every word about long texts that were pasted. */
export const pasteText = {
  chip: (lines: number) => `已粘贴 ${lines.toLocaleString('zh-CN')} 行`,
  size: (chars: number) => `${chars.toLocaleString('zh-CN')} 字符，将作为文字发送`,
  open: '查看粘贴的内容',
  remove: '移除粘贴的内容',
  more: (lines: number) => `展开全部 ${lines.toLocaleString('zh-CN')} 行`,
  less: '收起',
}

/** Every word about questions that wait for the previous answer. */
export const queueText = {
  queue: '排队中的问题',
  waiting: (count: number) =>
    count === 1 ? '排队中，回答完成后自动发送' : `排队中 ${count} 个问题，将依次发送`,
  edit: '取出并编辑',
  remove: '移除',
}
