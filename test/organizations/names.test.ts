import { expect, test } from 'vitest'
import { findNameProblem } from '#contract/names.ts'

const NAMES =
  `张三|欧阳娜娜|阿卜杜拉·买买提|乔治·华盛顿|史蒂夫・乔布斯|李雷 & 韩梅梅|小明19990101|问渠用户ab3d|清华大学.计算机系|星河工作室
Node.js 爱好者|Vue.js/React 团队|ASP.NET 俱乐部|Microsoft .NET 小组|.NET 中文社区|C# / F# 学习组|C++ 标准库|Web3.0 研究院|Web 2.0|v2.0 团队
St. John's|O'Neil & Co.|J.P. Morgan|J.P.Morgan|ACME Inc.|A.I. 实验室|3.14 工作室|Dr. Wang|Dr.Wang|Mr.Li|J.Li|Wei.Ma
腾讯科技 Co.,Ltd.|星河 Co.Ltd|Pty.Ltd 测试|S.p.A. Italia|GmbH & Co. KG|U.S.A. 校友会|Ph.D. 互助会|M.Sc 同学会|No.1 中学|will.i.am
麦当劳·中国|华为（中国）|上海市第1中学|2026届计算机3班|校友会 2008-2026|1024 工作室|360 安全|7-11 便利店|3M 中国|Q&A 小组
小王@产品部|AT&T|H&M|Yahoo!|T-Mobile|.com 时代|HTTP 协议研究组|微信团队|QQ音乐|手机测试组|第三点五组|一九九八年的夏天
👨‍💻 程序员|❤️ 志愿者|葛󠄀城|Zoë Müller|Việt Nguyễn|Алексей Иванов|สมชาย|محمد علي|キム・ミンジ|김민지`.split(
    /[|\n]/,
  )

const EVASIONS: Record<string, string[]> = {
  link: `https://evil.com|http://evil.com/a|h t t p : / / evil|hxxp://evil.zz|www.evil.zz|WWW．evil.zz|evil.com|EVIL.COM|百度.com|evil.com点这里
优惠evil.top快来|a.evil.com.cn|t.me/abc|bit.ly/3x|x.ai|evil.xyz-|evil。com|evil．com|evil｡com|evil‧com|evil․com|evil•com|evil·com|evil・com
evil點com|evil点com|evil 点 com|evil[.]com|evil(.)com|evil【.】com|evil (dot) com|evil dot com|evil . com|evil. com|evil .com|e v i l . c o m|e v i l . com
ｅｖｉｌ．ｃｏｍ|𝐞𝐯𝐢𝐥.𝐜𝐨𝐦|ⓔⓥⓘⓛ.ⓒⓞⓜ|evil.соm|evil.ᴄᴏᴍ|évil.cóm|xn--fiqs8s.zz|华为.中国|某某。网址|192.168.1.1|８.８.８.８`.split(
    /[|\n]/,
  ),
  email: ['a@evil.com', 'li.si＠qq.com', '12345 @qq', 'a @ b.zz', 'a@evil。com'],
  number:
    `13800138000|138 0013 8000|138-0013-8000|＋８６１３８００１３８０００|①③⑧⓪⓪①③⑧⓪⓪⓪|一三八零零一三八零零零|QQ 12345|qq群:123456
微信号 abc12345|加VX:evil_01|400.123.4567|客服 010-62785001-8`.split(/[|\n]/),
  characters: [
    'a\nb',
    'a\u2028b',
    'a\u0007b',
    'e\u200bvil',
    'evil\u200d.com',
    '\u202emoc.live',
    'a\u2066b',
    'a\u00adb',
    'a\u3164b',
    'a\u2800b',
    'a\u{e0041}b',
    'z\u0300\u0301\u0302\u0303',
    '张\u200d三',
  ],
}

test('names of people and organizations may be shown, in whatever language', () => {
  expect(NAMES.filter((name) => findNameProblem(name) !== null)).toEqual([])
  expect(NAMES.length).toBeGreaterThan(60)
})

test.each(Object.entries(EVASIONS))(
  'a name is refused for its %s, in whatever disguise',
  (problem, texts) => {
    expect(texts.filter((text) => findNameProblem(text) !== problem)).toEqual([])
  },
)
