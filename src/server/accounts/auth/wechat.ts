import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import { asString, getField, parseJsonObject } from '#server/core/json.ts'
import { createToken, hashToken } from '#server/core/secrets.ts'
import { insertWechatState, takeWechatState } from './store.ts'
import type { WechatVisit } from './store.ts'

/** How long a person may take to scan the code, seconds. */
const WECHAT_STATE_S = 600
const TIMEOUT_MS = 10_000

/** A browser's token and user agent. */
export type WechatBrowser = { token: string; user_agent: string }

/** Prefix of states sent to the official account, whose codes belong to another application. */
const OFFICIAL_ACCOUNT = 'mp.'
/** Recognises WeChat's own browser, but not that of WeCom, which has other users. */
const isInWechat = (userAgent: string): boolean =>
  /MicroMessenger/i.test(userAgent) && !/wxwork/i.test(userAgent)

/**
 * Signs in at WeChat's Open Platform (https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html),
 * or in WeChat's own browser by the official account
 * (https://developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/Wechat_webpage_authorization.html). A person has one `unionid` at
 * both.
 */
export function createWechat({ db, config: { wechat, app_url } }: { db: Db; config: Config }) {
  return {
    /** Returns WeChat's address that shows a QR code, or asks for consent inside WeChat. Throws AppError wechat_unavailable. */
    async start({ user_id, redirect_to }: WechatVisit, browser: WechatBrowser): Promise<string> {
      if (!wechat) throw new AppError('wechat_unavailable')
      const official = isInWechat(browser.user_agent) ? wechat.official_account : null
      const state = `${official ? OFFICIAL_ACCOUNT : ''}${createToken()}`
      await insertWechatState(db, {
        state_hash: hashToken(state),
        browser_hash: hashToken(browser.token),
        user_id,
        redirect_to,
        ttl_s: WECHAT_STATE_S,
      })
      const query = new URLSearchParams({
        appid: (official ?? wechat).app_id,
        redirect_uri: `${app_url}/wechat/callback`,
        response_type: 'code',
        scope: official ? 'snsapi_userinfo' : 'snsapi_login',
        state,
      })
      const path = official ? 'oauth2/authorize' : 'qrconnect'
      return `${wechat.connect_url}/connect/${path}?${query.toString()}#wechat_redirect`
    },

    /** Consumes a browser's state; returns undefined if it belongs to another browser or is too old. */
    finish: (state: string, browser: string): Promise<WechatVisit | undefined> =>
      takeWechatState(db, hashToken(state), hashToken(browser)),

    /** Exchanges WeChat's code for the person's id. Rejects with the reason. */
    async getId(code: string, state: string): Promise<string> {
      const app = state.startsWith(OFFICIAL_ACCOUNT) ? wechat?.official_account : wechat
      if (!wechat || !app) throw new AppError('wechat_unavailable')
      const query = new URLSearchParams({
        appid: app.app_id,
        secret: app.app_secret,
        code,
        grant_type: 'authorization_code',
      })
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const url = `${wechat.api_url}/sns/oauth2/access_token?${query.toString()}`
      const response = await fetch(url, { redirect: 'error', signal })
      const answer = parseJsonObject(await response.text())
      const id = asString(getField(answer, 'unionid')) || asString(getField(answer, 'openid'))
      // A person who only previews the page has a placeholder id that identifies nobody.
      if (getField(answer, 'is_snapshotuser') === 1) throw new Error('WeChat showed a preview of the page')
      if (!id) throw new Error(`WeChat refused a code: ${String(getField(answer, 'errcode'))}`)
      return id
    },
  }
}
