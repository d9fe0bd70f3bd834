import type { WidgetAgent } from './agents/widget.ts'
import type { SharedConversation } from './shares.ts'
import type { UserInfo } from './users.ts'

/**
 * Places with links to pages: the sidebar, first for work, then for models, their interface and their prices (`platform`); below
 * its entry for programs (`api`) while one of these is open; the account menu; beside the settings; the command palette.
 */
export type NavigationPlace = 'sidebar' | 'platform' | 'api' | 'account' | 'settings' | 'palette'

/** The drawings are in src/web/ui/layout/PageIcon.tsx. */
export type PageIcon =
  | 'chat'
  | 'agents'
  | 'compare'
  | 'translate'
  | 'documents'
  | 'models'
  | 'calculator'
  | 'docs'
  | 'credit'
  | 'dashboard'
  | 'transactions'
  | 'charging'
  | 'settings'
  | 'keys'
  | 'tasks'
  | 'messages'
  | 'invite'
  | 'organization'

export type PageDefinition = {
  /** `{name}` stands for a path parameter. A page without a path is rendered by status alone (404). */
  paths: readonly string[]
  /**
   * `public` anyone; `user` signed-in users: others see the page's sign-in gate, and no link to it; `development` everybody at a
   * machine that is not in production.
   */
  access: 'public' | 'user' | 'development'
  /** `app`: sidebar and panel; `none`: the page alone. */
  layout: 'app' | 'none'
  icon?: PageIcon
  /** Places with links to the page, and the words of each. */
  navigation?: Partial<Record<NavigationPlace, string>>
  /** For holders of the link; search engines must not list it. */
  noindex?: true
}

type NoProps = Record<never, never>
/** `props` carries the type of the page's own props and never has a value. */
export type Page<Props extends object = NoProps> = PageDefinition & { readonly props?: Props }

const page = <Props extends object = NoProps>(definition: PageDefinition): Page<Props> => definition

/** A message that the development server would have sent. */
export type OutboxMessage = {
  to: string
  channel: string
  subject: string
  text: string
  code: string | null
  created_at: string
}

/**
 * Every page by its registered name, which is also the name of its file in src/web/pages. Links are listed in this order.
 * The routes, the layouts, the navigation and the props of both sides come from here.
 */
export const pages = {
  Home: page<{ signup_coins: number }>({ paths: ['/'], access: 'public', layout: 'app' }),
  /** Chat with the general assistant, or with the agent of the id. */
  Chat: page<{ agent: string | null }>({
    paths: ['/chat', '/chat/agent/{id}'],
    access: 'public',
    layout: 'app',
    icon: 'chat',
    navigation: { sidebar: '对话', palette: '对话' },
  }),
  /** One question to several models, side by side. */
  Compare: page({
    paths: ['/compare'],
    access: 'public',
    layout: 'app',
    icon: 'compare',
    navigation: { sidebar: '对比', palette: '模型对比' },
  }),
  /** Translates a text; with `task` of the query, shows the translation of a file or a web page. */
  Fanyi: page({
    paths: ['/fanyi'],
    access: 'public',
    layout: 'app',
    icon: 'translate',
    navigation: { sidebar: '翻译', palette: '翻译' },
  }),
  AgentList: page({
    paths: ['/agents'],
    access: 'public',
    layout: 'app',
    icon: 'agents',
    navigation: { sidebar: '智能体', palette: '智能体' },
  }),
  /** Creates an agent; with an id, edits that one. */
  AgentForm: page<{ id: string | null }>({
    paths: ['/agent/create', '/agent/{id}/edit'],
    access: 'user',
    layout: 'app',
    navigation: { palette: '创建智能体' },
  }),
  /** A person's documents; with an id, one of them. */
  Block: page<{ id: string | null }>({
    paths: ['/block', '/block/{id}'],
    access: 'user',
    layout: 'app',
    icon: 'documents',
    navigation: { sidebar: '文档', palette: '文档' },
  }),
  Model: page<{ model: string | null }>({
    paths: ['/models', '/models/{model}'],
    access: 'public',
    layout: 'app',
    icon: 'models',
    navigation: { platform: '模型', palette: '模型广场' },
  }),
  /** The calculator, under the specification's spelling of its name. */
  Caculator: page({
    paths: ['/calculator'],
    access: 'public',
    layout: 'app',
    icon: 'calculator',
    navigation: { platform: '计算器', palette: '计算器' },
  }),
  GatewayGuide: page({
    paths: ['/docs/gateway'],
    access: 'public',
    layout: 'app',
    icon: 'docs',
    navigation: { platform: '接口', api: '接入指南', palette: '接入指南' },
  }),
  ApiReference: page({
    paths: ['/docs/api'],
    access: 'public',
    layout: 'app',
    navigation: { api: '接口文档', palette: '接口文档' },
  }),
  ApiKey: page({
    paths: ['/profile/api-keys'],
    access: 'user',
    layout: 'app',
    icon: 'keys',
    navigation: { api: '密钥', account: '密钥与用量', palette: '密钥' },
  }),
  ProvisionKey: page({
    paths: ['/profile/provision-keys'],
    access: 'user',
    layout: 'app',
    navigation: { api: '管理密钥', palette: '管理密钥' },
  }),
  /** Plans and their payment. */
  Credit: page({
    paths: ['/credit'],
    access: 'public',
    layout: 'app',
    icon: 'credit',
    navigation: { account: '充值', settings: '充值与会员', palette: '充值与会员' },
  }),
  Charging: page({
    paths: ['/docs/charging'],
    access: 'public',
    layout: 'app',
    icon: 'charging',
    navigation: { platform: '计费', palette: '计费规则' },
  }),
  Dashboard: page({
    paths: ['/profile/dashboard'],
    access: 'user',
    layout: 'app',
    icon: 'dashboard',
    navigation: { account: '用量概览', settings: '用量概览', palette: '用量概览' },
  }),
  Balance: page({
    paths: ['/profile/balance'],
    access: 'user',
    layout: 'app',
    navigation: { settings: '余额', palette: '余额' },
  }),
  Transaction: page({
    paths: ['/profile/transactions'],
    access: 'user',
    layout: 'app',
    icon: 'transactions',
    navigation: { settings: '收支明细', palette: '收支明细' },
  }),
  Task: page({
    paths: ['/profile/tasks'],
    access: 'user',
    layout: 'app',
    icon: 'tasks',
    navigation: { account: '任务', settings: '任务', palette: '任务' },
  }),
  /** The invitation programme; `reward`: coins for each. */
  Partner: page<{ reward: number }>({
    paths: ['/partner'],
    access: 'public',
    layout: 'app',
    icon: 'invite',
    navigation: { settings: '邀请好友', palette: '邀请好友' },
  }),
  /** The product's messages to the person; with `tab=releases` of the query the release notes. */
  Message: page({
    paths: ['/profile/messages'],
    access: 'user',
    layout: 'app',
    icon: 'messages',
    navigation: { settings: '消息', palette: '消息' },
  }),
  /** With a token as `invitation` of the query, shows that invitation. */
  Organization: page({
    paths: ['/profile/organization'],
    access: 'user',
    layout: 'app',
    icon: 'organization',
    navigation: { account: '组织', settings: '组织', palette: '组织' },
  }),
  Setting: page({
    paths: ['/profile/setting'],
    access: 'user',
    layout: 'app',
    icon: 'settings',
    navigation: { account: '设置', palette: '设置' },
  }),
  /** Terms, privacy, charging rule, and the operator's contact if given. */
  Service: page<{ contact: string | null }>({
    paths: ['/service'],
    access: 'public',
    layout: 'app',
    navigation: { palette: '服务条款与隐私' },
  }),
  Share: page<{ id: string; shared: SharedConversation }>({
    paths: ['/share/{id}'],
    access: 'public',
    layout: 'app',
    noindex: true,
  }),
  /** A conversation with an agent, in a frame of another site; null where the agent is unavailable. */
  Widget: page<{ agent: WidgetAgent | null }>({
    paths: ['/widget/{id}'],
    access: 'public',
    layout: 'none',
    noindex: true,
  }),
  /** The page that an invitation's mail links to; `refused`: its mailbox has refused further ones. */
  InvitationRefusal: page<{ token: string; refused: boolean }>({
    paths: ['/invitations/refusal/{token}'],
    access: 'public',
    layout: 'none',
    noindex: true,
  }),
  /** Sends people who are signed in on to `redirect_to` of the query. */
  AuthLogin: page({ paths: ['/login'], access: 'public', layout: 'none' }),
  /** Asks for confirmation of signing out, where a foreign page may have led to the address that does so. */
  AuthLogout: page({ paths: ['/logout/confirm'], access: 'public', layout: 'none', noindex: true }),
  Outbox: page<{ messages: OutboxMessage[] }>({
    paths: ['/dev/outbox'],
    access: 'development',
    layout: 'app',
  }),
  /**
   * The specification's 102: shown in the place of any page while the server cannot serve it, or by its own path with the next
   * page as `redirect_to`. It goes on by itself.
   */
  Processing: page({ paths: ['/102'], access: 'public', layout: 'none', noindex: true }),
  /** The specification's 404. */
  NotFound: page({ paths: [], access: 'public', layout: 'app' }),
}

export type PageName = keyof typeof pages
/** The props of a page besides the shared ones. */
export type PageProps<N extends PageName> = NonNullable<(typeof pages)[N]['props']>
export type PageWithProps = {
  [N in PageName]: keyof PageProps<N> extends never ? never : N
}[PageName]

export type PageConfig = {
  app_url: string
  environment: 'development' | 'production' | 'test'
  /** Turns a day for a visitor without an account. */
  guest_turns: number
  /** Ways to sign in besides e-mail. */
  sign_in: { phone: boolean; wechat: boolean }
  /** The id of Tencent Captcha, which is then required before a code is sent; null: the browser solves a challenge. */
  captcha_app_id: string | null
  /** Answers may search the web first. */
  web_search: boolean
  /** A model that speaks is configured. */
  read_aloud: boolean
  /** A model that writes down recordings is configured: questions may be spoken. */
  voice_input: boolean
}

/** Pages whose first picture, for somebody who is not signed in, is in their HTML. */
export const prerenderedPages = ['Home', 'Chat'] as const
export type PrerenderedPage = (typeof prerenderedPages)[number]

/** Props that the server sends with every page. */
export type SharedProps = { user: UserInfo | null; config: PageConfig; errors: Record<string, string> }

export type NavigationLink = {
  name: string
  label: string
  href: string
  access: PageDefinition['access']
  icon?: PageIcon
}

/** Returns the links of a place, in order; pages for users only where somebody is signed in. */
export const getNavigation = (place: NavigationPlace, signedIn: boolean): NavigationLink[] =>
  Object.entries<PageDefinition>(pages).flatMap(([name, { paths, access, icon, navigation }]) => {
    const label = navigation?.[place]
    const isVisible = access === 'public' || (access === 'user' && signedIn)
    return label && paths[0] && isVisible
      ? [{ name, label, href: paths[0], access, ...(icon ? { icon } : {}) }]
      : []
  })
