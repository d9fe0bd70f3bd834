/**
 * Each syllable (v is ü) with the first character of that reading in the browser's order of characters by reading (Unicode CLDR).
 * A character has the reading of the last of these that does not come after it.
 */
const SYLLABLES =
  'a吖ai哎an安ang肮ao凹ba丷bai挀ban扳bang邦bao勹bei卑ben奔beng伻bi屄bian边biao灬bie憋bin汃bing冫bo癶bu峬ca嚓cai偲can' +
  '参cang仓cao撡ce冊cen嵾ceng曽cha叉chai芆chan辿chang伥chao抄che车chen抻cheng阷chi吃chong充chou抽chu出chuai揣chu' +
  'an巛chuang刅chui吹chun旾chuo逴ci呲cong匆cou凑cu粗cuan汆cui崔cun邨cuo搓da咑dai呆dan丹dang当dao刀de嘚den扥deng灯d' +
  'i氐dian敁diao刁die爹ding丁diu丟dong东dou吺du厾duan耑dui垖dun吨duo多e妸en奀er儿fa发fan帆fang匚fei飞fen分feng丰fo仏' +
  'fou紑fu夫ga旮gai侅gan甘gang冈gao皋ge戈gen根geng刯gong工gou勾gu估gua瓜guai乖guan关guang光gui归gun丨guo呙ha哈hai咍' +
  'han佄hang夯hao茠he诃hei黒hen拫heng亨hong叿hou齁hu乎hua花huai怀huan欢huang巟hui灰hun昏huo吙ji丌jia加jian戋jiang' +
  '江jiao交jie阶jin巾jing坕jiong冂jiu丩ju凥juan姢jue噘jun军ka咔kai开kan刊kang忼kao尻ke匼ken肎keng劥kong空kou抠ku扝k' +
  'ua夸kuai蒯kuan宽kuang匡kui亏kun坤kuo扩la垃lai来lan兰lang啷lao捞le仂lei勒leng崚li哩lian奁liang良liao撩lie毟lin拎' +
  'ling伶liu溜long龙lou瞜lu噜lv驴luan娈lve掠lun抡luo啰ma妈mai埋man嫚mang牤mao猫mei坆men椚meng擝mi咪mian宀miao喵mie' +
  '乜min民ming名miu谬mo摸mou哞mu毪na拏nai腉nan囡nang囔nao孬ne疒nei娞ni妮nian拈niang娘niao鸟nie捏nin囜ning宁niu妞non' +
  'g农nou羺nu奴nv女nuan奻nve疟nuo挪ou讴pa妑pai拍pan眅pang乓pao抛pei呸pen喷peng匉pi丕pian囨piao剽pie氕pin姘ping乒po钋' +
  'pou剖pu仆qi七qia掐qian千qiang呛qiao悄qie苆qin亲qing靑qiong卭qiu丘qu区quan奍que炔qun夋ran呥rang穣rao娆re惹ren人r' +
  'eng扔ri日rong戎rou厹ru邚ruan堧rui桵run瞤ruo捼sa仨sai毢san三sang桒sao掻se閪sen森seng僧sha杀shai筛shan山shang伤sh' +
  'ao弰she奢shen申sheng升shi尸shou収shu书shua刷shuai衰shuan闩shuang双shui脽shun吮shuo妁si厶song忪sou凁su苏suan狻' +
  'sui夊sun孙suo唆ta他tai囼tan坍tang汤tao夲te忑teng熥ti剔tian天tiao旫tie帖ting厅tong囲tou偷tu凸tuan湍tui推tun吞tuo' +
  '乇wa屲wai歪wan弯wang尢wei危wen昷weng翁wo挝wu乌xi夕xia呷xian仙xiang乡xiao灱xie些xin心xing星xiong凶xiu休xu吁xuan吅' +
  'xue削xun坃ya丫yan恹yang央yao幺ye倻yi一yin囙ying应yo哟yong佣you优yu込yuan囦yue曰yun晕za帀zai災zan兂zang匨zao傮ze则' +
  'zei贼zen怎zeng囎zha扎zhai夈zhan枬zhang张zhao佋zhe蜇zhen贞zheng凧zhi之zhong中zhou州zhu朱zhua抓zhuan专zhuang妆' +
  'zhui隹zhun宒zhuo拙zi孜zong宗zou邹zu租zuan钻zui厜zun尊zuo嘬'
/** Characters with readings other than, or besides, the one that they are sorted by. */
const OTHER_READINGS =
  '便pian,bian参shen差chai藏zang曾zeng朝zhao传chuan,zhuan单shan得dei的di地di调tiao,diao都dou,du佛fo给gei还huan,hai' +
  '行hang,xing会kuai降xiang角jue觉jiao了le,liao么me没mo,mei模mu能neng数shuo,shu谁shui似shi说shuo弹tan拓tuo系ji校jiao' +
  '乐yue,le粘nian,zhan长chang,zhang着zhao,zhe只zhi种zhong重chong,zhong率lv,shuai'

const HAN = /\p{Script=Han}/u
const parse = (table: string, pattern: RegExp): [string, string][] =>
  [...table.matchAll(pattern)].map(([, key = '', value = '']) => [key, value])
const firsts = parse(SYLLABLES, /([a-z]+)(\p{Script=Han})/gu)
const others = new Map(parse(OTHER_READINGS, /(\p{Script=Han})([a-z,]+)/gu))
const order = new Intl.Collator('zh-Hans-CN-u-co-pinyin')
const cache = new Map<string, readonly string[]>()

/** The readings of a Chinese character without tones; for any other character the character itself. */
function listReadings(char: string): readonly string[] {
  const cachedReadings = cache.get(char)
  if (cachedReadings) return cachedReadings
  const usualReading = firsts.findLast(([, first]) => order.compare(first, char) <= 0)?.[0]
  const readings = HAN.test(char)
    ? [...new Set([...(usualReading ? [usualReading] : []), ...(others.get(char)?.split(',') ?? [])])]
    : [char]
  cache.set(char, readings)
  return readings
}

/** The inputs accepted for a reading: all of it, its initial, or its first letter. */
const listShortenings = (reading: string): string[] => [
  reading,
  ...(/^[zcs]h/.test(reading) ? [reading.slice(0, 2)] : []),
  reading.slice(0, 1),
]

function fits(letters: string, chars: readonly string[], at: number): boolean {
  if (!letters) return true
  const char = chars[at]
  if (char === undefined) return false
  if (/\s/.test(char)) return fits(letters, chars, at + 1)
  return listReadings(char).some(
    (reading) =>
      reading.startsWith(letters) ||
      listShortenings(reading).some(
        (typed) => letters.startsWith(typed) && fits(letters.slice(typed.length), chars, at + 1),
      ),
  )
}

/**
 * Index of the character at which letters begin to match the pinyin of a text, -1 for none. Whole syllables, initials and
 * mixtures match: 新对话 is found by `xinduihua`, `xdh` and `xindh`.
 */
export function findPinyin(letters: string, text: string): number {
  const chars = Array.from(text.toLowerCase())
  return chars.findIndex((char, at) => !/\s/.test(char) && fits(letters, chars, at))
}
