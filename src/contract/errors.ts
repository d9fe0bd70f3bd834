import { MAX_COMPARED_MODELS } from './compare-limits.ts'
import { blockMessages, taskMessages, uploadMessages } from './uploads.ts'

/**
 * Every error that a person or a program can meet: code → status and Chinese message. Codes are stable; messages are
 * the specification's (section 8) where it gives one. Each transport has one mapper from a code to its own shape.
 */
export const errors = {
  bad_request: { status: 400, message: '请求参数错误，请检查无误后再提交' },
  invalid_input: { status: 422, message: '请求参数错误，请检查无误后再提交' },
  unauthorized: { status: 401, message: '请先登录' },
  login_expired: { status: 401, message: '用户已退出登录状态，请登录后切换' },
  untrusted_origin: { status: 403, message: '请求来源无法确认，请刷新页面后重试' },
  forbidden: { status: 403, message: '没有权限执行此操作' },
  not_found: { status: 404, message: '内容不存在或已被删除' },
  method_not_allowed: { status: 405, message: '不支持这个请求方法' },
  payload_too_large: { status: 413, message: '提交的内容太大' },
  unsupported_media: {
    status: 415,
    message:
      '不支持的内容格式，请使用 application/json、application/x-www-form-urlencoded 或 multipart/form-data',
  },
  rate_limited: { status: 429, message: '请求过于频繁，请稍后再试' },
  too_many_calls: { status: 429, message: '同时进行的请求太多，请等前面的完成后再试' },
  internal: { status: 500, message: '服务端响应错误' },
  unavailable: { status: 503, message: '服务暂时不可用，请稍后再试' },
  overloaded: { status: 503, message: '服务繁忙，请稍后再试' },

  code_invalid: { status: 422, message: '验证码错误或已失效，请重新获取' },
  code_tries: { status: 429, message: '验证码错误次数过多，请重新获取' },
  signup_limit: { status: 429, message: '当前网络今天注册的新账号太多，请明天再试；已有账号可以照常登录' },
  signups_exhausted: { status: 503, message: '今天的新账号注册名额已满，请明天再试；已有账号可以照常登录' },
  code_limit: {
    status: 429,
    message: '今天发到这里的验证码已经太多，请明天再试，或在以前登录过的浏览器里登录，或换一种方式登录',
  },
  codes_exhausted: { status: 503, message: '今天的验证码已发完，请明天再试，或换一种方式登录' },
  code_send_failed: { status: 503, message: '获取验证码失败，请检查网络是否正常' },
  old_code_required: { status: 422, message: '还需要填写账号原有的邮箱或手机号收到的验证码' },
  human_check_failed: { status: 422, message: '人机验证没有通过，请重试' },
  phone_taken: { status: 409, message: '该手机号已绑定其他账号' },
  wechat_taken: { status: 409, message: '该微信已绑定其他账号' },
  wechat_unavailable: { status: 404, message: '本站没有开通微信登录' },
  login_again: { status: 409, message: '请退出后重新用微信登录，并在 15 分钟内注销账户' },
  last_auth_type: { status: 409, message: '这是最后一种登录方式，不能解除' },
  email_taken: { status: 409, message: '该邮箱已绑定其他账号' },

  guest_limit: { status: 401, message: '今天的试用次数已用完，登录后可继续使用' },
  guest_budget: { status: 401, message: '今天的访客试用名额已用完，登录后可继续使用' },
  guest_model: { status: 401, message: '该模型需要登录后使用' },
  empty_prompt: { status: 422, message: '上一条消息为空，请重新输入' },
  turn_running: { status: 409, message: '上一条消息还在回答中，请稍候或先停止' },
  tool_unavailable: { status: 422, message: '联网搜索未开启，请关闭后再提问' },
  tool_unknown: { status: 422, message: '没有这个工具' },
  audio_unavailable: { status: 422, message: '这段录音不能作为提问，请重新录一段，或改用文字' },
  agent_required: { status: 422, message: '请先选择智能体' },
  not_continuable: { status: 409, message: '这个回答不能继续，请重新生成' },
  channel_unavailable: { status: 404, message: '该对话频道不存在' },
  folder_count: { status: 409, message: '文件夹数量已达上限，请先删除不用的文件夹' },
  folder_exists: { status: 409, message: '已有同名的文件夹，请换一个名称' },

  agent_not_found: {
    status: 404,
    message: '智能体不存在、已被删除或不再公开，之前的对话仍可查看',
  },
  widget_unavailable: { status: 404, message: '这个助手暂时不能使用' },
  widget_limit: { status: 429, message: '这个助手今天的回答额度已用完，请明天再来' },
  widget_turns: { status: 429, message: '今天的提问次数已用完，请明天再来' },
  agent_empty: { status: 409, message: '请先添加文件或链接，等读取完成后再自测' },
  evaluation_cancelled: { status: 409, message: '已停止自测' },
  agent_count: { status: 409, message: '智能体数量已达上限，请先删除不用的智能体' },

  compare_full: { status: 409, message: `最多同时对比 ${MAX_COMPARED_MODELS} 个模型，请先移除一个` },
  compare_empty: { status: 422, message: '请先选择要对比的模型' },
  vote_unready: { status: 409, message: '至少两个模型回答完成后才能评分，并且只能选其中的一个' },

  prompt_count: { status: 409, message: '提示词数量已达上限，请先删除不用的提示词' },
  share_empty: { status: 422, message: '还没有可以分享的消息' },
  share_count: { status: 409, message: '分享链接数量已达上限，请先撤销不用的链接' },

  task_running: { status: 409, message: taskMessages.running },
  task_done: { status: 409, message: '任务已经完成，不需要重试' },
  task_failed: { status: 422, message: taskMessages.failed },
  task_cancelled: { status: 409, message: '任务已停止，可以重试' },
  task_superseded: { status: 409, message: '这个任务已被更新的任务代替，不能重试' },
  text_too_long: { status: 422, message: '文字超过这个模型一次能翻译的长度，请换一个模型或作为文件翻译' },
  already_in_language: { status: 409, message: '这个文件看起来已经是目标语言，仍要翻译吗？' },
  block_required: { status: 422, message: '请先上传文件或提取链接' },
  glossary_full: { status: 409, message: '术语数量已达上限，请先删除不用的术语' },
  glossary_duplicate: { status: 409, message: '术语表里已有这个术语' },
  translation_empty: { status: 422, message: '模型没有译出任何一段，请重试或换一个模型' },
  task_interrupted: { status: 503, message: '任务因服务重启多次中断，请重试' },
  credential_failed: { status: 503, message: uploadMessages.credential_failed },
  storage_unavailable: { status: 503, message: '文件存储暂时不可用，请稍后再试' },
  file_missing: { status: 422, message: uploadMessages.upload_failed },
  file_damaged: { status: 422, message: '上传的文件不完整，请重新上传' },
  file_too_large: { status: 413, message: '文件太大，请提升用户等级或换一个文件' },
  storage_full: { status: 413, message: uploadMessages.storage_full },
  uploads_unsaved: { status: 429, message: uploadMessages.unsaved },
  picture_missing: { status: 422, message: '图片没有上传成功，请重新选择' },
  picture_unreadable: { status: 422, message: '无法识别这张图片，请换一张 PNG、JPG、WebP 或 GIF 图片' },
  picture_too_large: { status: 413, message: '图片太大，请换一张小一些的图片' },
  upload_busy: { status: 409, message: uploadMessages.unfinished },
  pictures_too_large: { status: 413, message: '一次提问的图片太大，请减少图片，或换小一些的图片' },
  file_failed: { status: 503, message: '提问里的图片或录音没能读出，请稍后再试，或重新上传后再试' },
  block_reading: { status: 409, message: blockMessages.reading },
  block_cancelled: { status: 422, message: '已停止读取，可以重新读取' },
  block_failed: { status: 422, message: blockMessages.failed },
  index_cancelled: { status: 422, message: '已停止建立索引，可以重新开始' },
  index_failed: { status: 503, message: '索引建立失败，请重试' },
  link_refused: { status: 422, message: '这个链接不能访问，请检查后再试' },
  link_failed: { status: 422, message: '无法打开这个链接，请检查后再试' },
  link_unanswered: { status: 502, message: '这个网站没有应答，请稍后再试' },
  link_busy: { status: 429, message: '同时打开的链接太多，请等前面的打开后再试' },
  link_too_large: { status: 422, message: '链接的内容太大，无法读取' },

  document_encrypted: { status: 422, message: '文件有密码保护，请去掉密码后重新上传' },
  document_empty: { status: 422, message: '文件里没有可读取的内容' },
  document_unsupported: { status: 415, message: '暂不支持读取这种格式的文件' },
  picture_unsupported: {
    status: 415,
    message: '模型看不了这种格式的图片（如 HEIC、TIFF），请转成 JPG 或 PNG 后再上传',
  },
  document_damaged: { status: 422, message: '文件不完整或已损坏，请检查后重新上传' },
  document_too_large: { status: 413, message: '文件内容太大，无法读取，请拆分后重新上传' },
  document_bomb: { status: 422, message: '文件的压缩内容异常，已停止读取' },
  document_timeout: { status: 422, message: '文件太复杂，未能在限定时间内读完，请拆分后重试' },
  document_memory: { status: 422, message: '文件太复杂，读取时内存不足，请拆分后重试' },
  document_recording: { status: 422, message: '录音需要语音识别模型才能读取，本站还没有配置' },
  document_gone: { status: 422, message: '存储里找不到这个文件了，请重新上传' },
  document_interrupted: { status: 503, message: '文件的读取多次被中断，请稍后重新读取' },
  document_unreadable: { status: 422, message: '文件读取失败，请换一种格式后重新上传' },
  recognition_failed: { status: 422, message: '图片文字识别失败，请稍后重试' },

  model_not_found: { status: 404, message: '模型不存在或已下线' },
  model_unavailable: { status: 503, message: '该模型暂不可用，请换一个模型或稍后再试' },
  insufficient_balance: { status: 402, message: '金币余额不足，请充值后再试' },
  key_limit_reached: { status: 402, message: '该密钥的额度已用完' },
  key_invalid: { status: 401, message: '密钥无效，请检查后重试' },
  key_disabled: { status: 401, message: '该密钥已停用' },
  key_expired: { status: 401, message: '该密钥已过期' },
  provision_key_refused: {
    status: 403,
    message: '这是管理密钥，只能管理其他密钥，不能调用模型，请换成 API 密钥',
  },
  address_not_allowed: { status: 403, message: '该密钥不允许从这个地址使用' },
  model_not_allowed: { status: 403, message: '该密钥不允许使用这个模型' },
  context_length_exceeded: { status: 400, message: '内容超出了该模型的上下文长度' },
  request_rejected: { status: 400, message: '模型服务不接受这个请求，请修改后再试' },
  content_rejected: { status: 400, message: '内容没有通过模型服务的审核，请修改后再试' },
  key_count: { status: 409, message: '密钥数量已达上限，请先删除不用的密钥' },
  provision_cap: { status: 403, message: '超出了该管理密钥允许的范围' },
  organization_limit_reached: { status: 402, message: '你在组织中的额度已用完，请联系组织的管理员' },
  organization_joined: { status: 409, message: '你已经在一个组织里了，请先退出再继续' },
  organization_full: { status: 409, message: '组织的成员数量已达上限' },
  organization_none: { status: 409, message: '你没有加入组织，不能设为组织可见' },
  organization_name_wrong: { status: 422, message: '名称与组织的名称不一致' },
  gift_untransferable: {
    status: 402,
    message: '赠送的金币只能由你自己使用，不能转入组织，请充值后再试',
  },
  organization_busy: {
    status: 409,
    message: '还有回答或任务正由组织付费，请等它们结束后再试',
  },
  last_owner: { status: 409, message: '组织至少要有一位所有者，请先把另一位成员设为所有者' },
  invitation_invalid: { status: 404, message: '邀请链接无效或已过期，请联系邀请你的人' },
  invitation_failed: { status: 503, message: '邀请成员失败，请稍后重试' },
  content_unsupported: { status: 400, message: '这个模型不支持请求里的内容' },
  audio_unreadable: {
    status: 400,
    message: '无法读出这段音频的时长，请换用 mp3、wav、m4a、flac、ogg 或 webm 格式的完整文件',
  },
  answer_not_kept: {
    status: 410,
    message: '这个 Idempotency-Key 的调用已经完成，但结果太大，没有保留；请换一个 Idempotency-Key 重新调用',
  },
  idempotency_mismatch: { status: 422, message: '同一个 Idempotency-Key 已用于另一个请求' },

  plan_not_found: { status: 404, message: '套餐不存在或已下架' },
  pay_type_unavailable: { status: 422, message: '暂不支持这种支付方式，请换一种' },
  payment_failed: { status: 503, message: '无法连接支付平台，请稍后再试' },
  order_closed: { status: 409, message: '订单已关闭，请重新下单' },
  signature_invalid: { status: 401, message: '签名无效或已过期' },
  payment_mismatch: { status: 409, message: '通知的内容与订单不符' },

  upstream_refused: { status: 502, message: '无法连接模型服务，请稍后重试' },
  upstream_failed: { status: 502, message: '模型服务出错，请重试' },
  upstream_rejected: { status: 502, message: '模型服务拒绝了本站的访问，请换一个模型' },
  upstream_rate_limited: { status: 429, message: '模型服务请求过多，请稍后再试' },
  upstream_overloaded: { status: 503, message: '模型服务繁忙，请稍后再试' },
  upstream_timeout: { status: 504, message: '模型服务响应超时，请重试' },
  upstream_cut: { status: 502, message: '回答中途断开，已保留收到的内容，可重新生成' },
  upstream_malformed: { status: 502, message: '模型服务返回了无法识别的内容，请重试' },
  upstream_empty: { status: 502, message: '模型没有返回内容，请重新生成' },
  interrupted: { status: 503, message: '回答因服务重启而中断，已保留收到的内容，可重新生成' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors

/** The JSON body of every error answer of /api and of the auth calls. */
export type ErrorBody = {
  message: string
  code: ErrorCode
  request_id: string
  /** Field → Chinese message, with `invalid_input`. */
  errors?: Record<string, string>
  /** With `insufficient_balance`. */
  shortage?: Shortage
}

/** Why a balance is not enough for a call. */
export type Shortage = {
  /** Coins: the least that the call needs, the shortest answer included, and the account's coins that are not reserved. */
  needed: number
  available: number
  /** Estimated tokens of the request. */
  input_tokens: number
}
