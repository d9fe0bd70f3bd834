import { ApiError } from '#web/core/api.ts'
import { authText } from '#web/text/auth.ts'

/** The parts of Tencent's script that are used (https://cloud.tencent.com/document/product/1110/36841). */
type CaptchaAnswer = { ret: number; ticket?: string; randstr?: string }
type CaptchaConstructor = new (
  appId: string,
  onAnswer: (answer: CaptchaAnswer) => void,
  options: { userLanguage: string },
) => { show(): void }
declare global {
  interface Window {
    TencentCaptcha?: CaptchaConstructor
  }
}

/** Must not be served from elsewhere: Tencent changes the script as attackers adapt. */
const SCRIPT_URL = 'https://turing.captcha.qcloud.com/TJCaptcha.js'
const SOLVED = 0

/** Shows the captcha. Throws ApiError when the person closed it or the script cannot be loaded. */
export async function askCaptcha(appId: string): Promise<{ ticket: string; rand_str: string }> {
  const Captcha = window.TencentCaptcha ?? (await loadCaptcha())
  return new Promise((resolve, reject) => {
    const onAnswer = ({ ret, ticket, randstr }: CaptchaAnswer) => {
      if (ret === SOLVED && ticket && randstr) resolve({ ticket, rand_str: randstr })
      else reject(new ApiError(403, { code: 'human_check_failed', message: authText.captchaClosed }))
    }
    new Captcha(appId, onAnswer, { userLanguage: 'zh-cn' }).show()
  })
}

/** Removes a script that failed, so that the next try loads it again. */
function loadCaptcha(): Promise<CaptchaConstructor> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      script.remove()
      reject(new ApiError(0, { message: authText.sendFailed }))
    }
    script.addEventListener('load', () => (window.TencentCaptcha ? resolve(window.TencentCaptcha) : fail()))
    script.addEventListener('error', fail)
    script.src = SCRIPT_URL
    document.head.append(script)
  })
}
