import { WIDGET_CLOSE } from '#contract/agents/widget-visitor.ts'
import { launcherText as text } from '#web/text/agents/launcher.ts'

// The script of the one tag on another site, built by itself as /widget.js: a round button, and a frame with the conversation,
// loaded when it is first opened. The site may forbid inline styles and HTML from text, so everything is made by the DOM.

const TAG = 'wenqu-widget'
const SVG = 'http://www.w3.org/2000/svg'
const ICONS = {
  open: 'M21 15a2 2 0 0 1-2 2H7l-4 4V5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2z',
  close: 'M18 6 6 18M6 6l12 12',
}
const STYLES = `
:host { all: initial; color-scheme: light dark; }
* { box-sizing: border-box; }
button {
  position: fixed; z-index: 2147483647;
  right: calc(20px + env(safe-area-inset-right)); bottom: calc(20px + env(safe-area-inset-bottom));
  display: grid; place-items: center; width: 56px; height: 56px; margin: 0; padding: 0; border: 0; border-radius: 50%;
  background: #1d1c1a; color: #fff; box-shadow: 0 2px 6px rgb(0 0 0 / 20%), 0 8px 24px rgb(0 0 0 / 18%); cursor: pointer;
}
button:focus-visible { outline: 2px solid #0b62a0; outline-offset: 3px; }
svg { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
section {
  position: fixed; z-index: 2147483646;
  right: calc(20px + env(safe-area-inset-right)); bottom: calc(88px + env(safe-area-inset-bottom));
  width: min(400px, calc(100vw - 40px)); height: min(640px, calc(100vh - 108px)); overflow: hidden;
  border: 1px solid #dedad1; border-radius: 16px; background: #fff; box-shadow: 0 12px 48px rgb(0 0 0 / 24%);
}
section[hidden] { display: none; }
iframe { display: block; width: 100%; height: 100%; border: 0; }
@media (prefers-color-scheme: dark) {
  button { background: #eceae5; color: #171716; }
  button:focus-visible { outline-color: #6cb9ee; }
  section { border-color: #383631; background: #181817; }
}
@media (max-width: 480px) {
  section { inset: 0; width: auto; height: auto; padding-top: 48px; border: 0; border-radius: 0; }
  button[aria-expanded='true'] {
    top: 2px; right: 4px; bottom: auto; width: 44px; height: 44px; background: none; color: #1d1c1a; box-shadow: none;
  }
}
@media (max-width: 480px) and (prefers-color-scheme: dark) {
  button[aria-expanded='true'] { color: #eceae5; }
}
@media print { :host { display: none; } }
`

function createIcon(path: SVGPathElement): SVGSVGElement {
  const icon = document.createElementNS(SVG, 'svg')
  const attributes = { viewBox: '0 0 24 24', width: '24', height: '24', 'aria-hidden': 'true' }
  for (const [name, value] of Object.entries(attributes)) icon.setAttribute(name, value)
  icon.append(path)
  return icon
}

function createWidget(origin: string, agent: string): HTMLElement {
  const host = document.createElement(TAG)
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [sheet]

  const panel = document.createElement('section')
  panel.hidden = true
  panel.setAttribute('role', 'dialog')
  panel.ariaLabel = text.panel
  const button = document.createElement('button')
  button.type = 'button'
  const path = document.createElementNS(SVG, 'path')
  button.append(createIcon(path))
  root.append(panel, button)
  let frame: HTMLIFrameElement | undefined

  const show = (open: boolean): void => {
    panel.hidden = !open
    button.ariaExpanded = String(open)
    button.ariaLabel = open ? text.close : text.open
    path.setAttribute('d', open ? ICONS.close : ICONS.open)
  }
  const open = (): void => {
    if (!frame) {
      frame = document.createElement('iframe')
      frame.title = text.panel
      frame.allow = 'clipboard-write'
      // Overrides the site's own referrer policy: the server has to know which site asks.
      frame.referrerPolicy = 'origin'
      // The frame may not navigate the site around it.
      frame.sandbox.add('allow-scripts', 'allow-same-origin', 'allow-forms', 'allow-downloads')
      frame.sandbox.add('allow-popups', 'allow-popups-to-escape-sandbox')
      frame.src = `${origin}/widget/${agent}`
      panel.append(frame)
    }
    show(true)
    frame.focus()
  }
  const close = (): void => {
    show(false)
    button.focus()
  }
  button.addEventListener('click', () => (panel.hidden ? open() : close()))
  root.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape' && !panel.hidden) close()
  })
  // The frame gets the keys pressed in it, and reports Escape.
  addEventListener('message', ({ source, data }) => {
    if (frame && source === frame.contentWindow && data === WIDGET_CLOSE && !panel.hidden) close()
  })
  show(false)
  return host
}

const script = document.currentScript
if (script instanceof HTMLScriptElement && script.dataset.agent && !document.querySelector(TAG)) {
  const widget = createWidget(new URL(script.src).origin, encodeURIComponent(script.dataset.agent))
  // The tag may stand in the head, where a cached script runs before there is a body.
  if (document.body) document.body.append(widget)
  else addEventListener('DOMContentLoaded', () => document.body.append(widget))
}
