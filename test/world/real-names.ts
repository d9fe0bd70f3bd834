/**
 * Names as people give them and as config/models.json has them: as long as allowed, in both scripts. A layout that fits short
 * made-up names may overlap with one of these.
 */
export const realNames = {
  /** Has 30 characters, the most that a nickname or an organization may have. */
  nickname: '华东大区经销商渠道运营与库存盘点联合项目组王欣怡（上海分部）',
  member: 'Alexandra Vandenberghe-Schulze',
  organization: '长三角一体化示范区智能制造与供应链协同创新中心（筹备组）总部',
  /** Has 50 characters, the most that an agent may have. */
  agent:
    '华东大区经销商库存盘点与回款情况问答助手（面向区域经理、渠道专员与财务共享中心，含历史口径说明）二版',
  /** Has 60 characters, the most that a key may have. */
  key: 'production-east-china-distributor-inventory-reconciliation-4',
  folder: '2026年第三季度华东大区经销商库存盘点与回款情况',
  chineseFile: '2026年第三季度华东大区经销商库存盘点与回款情况说明（修订稿第4版）.docx',
  englishFile: 'Q3-2026_east-china_distributor-inventory-reconciliation_final_v4.pdf',
  question:
    '请根据附件核对2026年第三季度华东大区全部经销商的库存盘点差异与逾期回款，并按城市列出金额最大的十家',
  coins: 128_456.78,
} as const

/** The names of the scripted models: those of the models of config/models.json that they stand for. */
export const modelNames = {
  scripted: 'DeepSeek V4.1 Flash',
  'scripted-paid': 'Claude Sonnet 5.5',
  choosy: 'GPT-6.1 Sol',
  seeing: '千问 3 VL Plus',
  flat: '千问 3.8 Omni Flash',
  twofold: 'Gemini 3.5 Flash-Lite',
  tiered: 'MiniMax M3.1 Flash',
  'farui-scripted': '通义法睿',
  'scripted-embedding': 'OpenAI Embedding 3 Small',
  'scripted-rerank': 'Cohere Rerank 4 Fast',
  'scripted-image': 'GPT Image 2.5 Sunburst',
  'scripted-drawing': '豆包 Seedream 5.0 Lite',
  'scripted-painting': 'GPT Image 2',
  'scripted-tts': 'CosyVoice 2',
  'scripted-asr': 'GPT-4o Mini Transcribe',
  limited: '豆包 Seed 2.1 Turbo',
  thinker: 'Claude Opus 5.5',
  absent: 'Kimi K3.1 Pro',
} as const

/** The names of their platforms, also from config/models.json. */
export const platformNames = {
  scripted: '阿里云百炼',
  second: '腾讯云 TokenHub',
  keyless: 'Anthropic',
} as const
