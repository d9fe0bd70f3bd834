import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import { asString, getField, parseJsonObject } from '#server/core/json.ts'
import { createToken, hashToken } from '#server/core/secrets.ts'
import { insertWechatState, takeWechatState } from './store.ts'
import type { WechatVisit } from './store.ts'

/** How long somebody may take to scan the code, seconds. */
const WECHAT_STATE_S = 600
const TIMEOUT_MS = 10_000

/**
 * Signing in at WeChat's Open Platform
 * (https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html).
 */
export function createWechat({ db, config: { wechat, app_url } }: { db: Db; config: Config }) {
  return {
    /** The address at WeChat that shows the code to scan. Throws AppError wechat_unavailable. */
    async start({ user_id, redirect_to }: WechatVisit, browser: string): Promise<string> {
      if (!wechat) throw new AppError('wechat_unavailable')
      const state = createToken()
      await insertWechatState(db, {
        state_hash: hashToken(state),
        browser_hash: hashToken(browser),
        user_id,
        redirect_to,
        ttl_s: WECHAT_STATE_S,
      })
      const query = new URLSearchParams({
        appid: wechat.app_id,
        redirect_uri: `${app_url}/wechat/callback`,
        response_type: 'code',
        scope: 'snsapi_login',
        state,
      })
      return `${wechat.connect_url}/connect/qrconnect?${query.toString()}#wechat_redirect`
    },

    /** Uses up what a browser was sent away with; undefined where it was not this browser, or too long ago. */
    finish: (state: string, browser: string): Promise<WechatVisit | undefined> =>
      takeWechatState(db, hashToken(state), hashToken(browser)),

    /** The person's id for the code that WeChat sent the browser back with. Rejects with what went wrong. */
    async getId(code: string): Promise<string> {
      if (!wechat) throw new AppError('wechat_unavailable')
      const query = new URLSearchParams({
        appid: wechat.app_id,
        secret: wechat.app_secret,
        code,
        grant_type: 'authorization_code',
      })
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const url = `${wechat.api_url}/sns/oauth2/access_token?${query.toString()}`
      const response = await fetch(url, { redirect: 'error', signal })
      const answer = parseJsonObject(await response.text())
      const id = asString(getField(answer, 'unionid')) || asString(getField(answer, 'openid'))
      if (!id) throw new Error(`WeChat refused a code: ${String(getField(answer, 'errcode'))}`)
      return id
    },
  }
}
