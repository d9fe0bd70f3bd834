import { describe, expect, test } from 'vitest'
import { levels } from '#contract/users.ts'
import { checkUpload, getMaxUploadBytes, toFileType, toObjectPath } from '#contract/uploads.ts'

const MB = 1024 * 1024
const pdf = (size: number) => ({ name: '合同.pdf', type: 'application/pdf', size })
const audio = (size: number) => ({ name: '会议.mp3', type: 'audio/mpeg', size })

describe('limits of section 5, exact to the byte', () => {
  test.each([
    ['pro-0', 50, '普通用户上传文件大小不能超过50M，请提升用户等级解除限制'],
    ['pro-1', 100, '极客会员上传文件大小不能超过100M，请提升用户等级解除限制'],
    ['pro-4', 100, '极客会员上传文件大小不能超过100M，请提升用户等级解除限制'],
    ['pro-7', 100, '极客会员上传文件大小不能超过100M，请提升用户等级解除限制'],
    ['pro-2', 300, '专业会员上传文件大小不能超过300M，请提升用户等级解除限制'],
    ['pro-5', 300, '专业会员上传文件大小不能超过300M，请提升用户等级解除限制'],
    ['pro-8', 300, '专业会员上传文件大小不能超过300M，请提升用户等级解除限制'],
    ['pro-3', 1024, '企业会员上传文件大小不能超过1G'],
    ['pro-6', 1024, '企业会员上传文件大小不能超过1G'],
    ['pro-9', 1024, '企业会员上传文件大小不能超过1G'],
  ] as const)('%s: files up to %i MB', (level, maxMb, message) => {
    expect(checkUpload(level, pdf(maxMb * MB))).toBeNull()
    expect(checkUpload(level, pdf(maxMb * MB + 1))).toBe(message)
    expect(getMaxUploadBytes(level)).toBe(maxMb * MB)
  })

  test.each([
    ['pro-0', 50, '普通用户上传文件大小不能超过50M，请提升用户等级解除限制'],
    ['pro-1', 50, '极客会员上传音频文件大小不能超过50M，请提升用户等级解除限制'],
    ['pro-5', 100, '专业会员上传音频文件大小不能超过100M，请提升用户等级解除限制'],
    ['pro-9', 200, '企业会员上传音频文件大小不能超过200M'],
  ] as const)('%s: audio up to %i MB', (level, maxMb, message) => {
    expect(checkUpload(level, audio(maxMb * MB))).toBeNull()
    expect(checkUpload(level, audio(maxMb * MB + 1))).toBe(message)
  })

  test.each([
    ['说明.txt', 'text/plain'],
    ['说明.md', ''],
    ['数据.csv', ''],
    ['数据.json', 'application/json'],
    ['数据.xlsx', ''],
    ['数据.xls', 'application/vnd.ms-excel'],
    ['代码.ts', 'video/mp2t'],
    ['无名', 'text/x-unknown; charset=gbk'],
  ])('%s (%s): up to 2 MB at every level', (name, type) => {
    for (const level of levels) {
      expect(checkUpload(level, { name, type, size: 2 * MB })).toBeNull()
      expect(checkUpload(level, { name, type, size: 2 * MB + 1 })).toBe('纯文本/表格文件大小不能超过2M')
    }
  })

  test('an empty file is none', () => expect(checkUpload('pro-0', pdf(0))).toBe('文件是空的，请换一个文件'))
})

test.each([
  ['笔记.md', '', 'text/markdown'],
  ['笔记.MARKDOWN', 'text/plain', 'text/markdown'],
  ['a.txt', 'Text/Plain; charset=utf-8', 'text/plain'],
  ['a.docx', '', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['README', '', 'application/octet-stream'],
])('%s (%j) is of type %s', (name, type, expected) => expect(toFileType({ name, type })).toBe(expected))

test('a file lies below image/ or file/, its day and its md5', () => {
  const md5 = '0cc175b9c0f1b6a831c399e269772661'
  const at = (name: string, type: string) => toObjectPath(md5, { name, type }, '2026-11-22')
  expect(at('照片.JPG', 'image/jpeg')).toBe(`image/2026/11/22/${md5}.jpg`)
  expect(at('../../合同.pdf', '')).toBe(`file/2026/11/22/${md5}.pdf`)
  expect(at('README', '')).toBe(`file/2026/11/22/${md5}.bin`)
})
