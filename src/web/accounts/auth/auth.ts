export { extractCodeDigits, sendCode, toTarget, visitWechat } from './signIn.ts'
export { SignInForm } from './SignInForm.tsx'
export { WechatButton } from './WechatButton.tsx'
